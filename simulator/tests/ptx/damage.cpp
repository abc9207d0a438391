// A damaged module must be refused or understood, never crash: run these under -fsanitize=address,undefined.
#include <gtest/gtest.h>

#include <random>

#include "snippets.h"

namespace warpwright::ptx {
namespace {

using namespace std::string_view_literals;

/// One of everything that the parser knows.
const char* const sample = R"(
.version 9.0
.target sm_90
.address_size 64
.extern .func (.param .b32 func_retval0) vprintf(.param .b64 a, .param .b64 b);
.extern .shared .align 16 .b8 tile[];
.global .align 8 .u64 table[3] = {generic(text)+2, 7, vprintf};
.global .align 1 .u8 packed[9] = {1, 0xFF(text), 0xFF00(text), 0xFF0000(text), 0xFF000000(text), 0xFF00000000(text),
  0xFF0000000000(text), 0xFF000000000000(text), 0xFF00000000000000(text)};
.global .align 1 .b8 text[3] = {104, 105};
.const .v2 .f32 pairs[][2] = {{{0f3F800000, 2.5e-1}, {-1}}, {(1 << 2) + WARP_SZ % 5}};
.visible .entry k(.param .u64 .ptr .global .align 8 k_param_0, .param .align 8 .b8 k_param_1[16])
.maxntid 256, 1, 1
{
  .reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %rd<3>; .reg .v4 .f32 v;
  .local .align 4 .b8 __local_depot0[8];
  .loc 1 7 3
  .loc 1 9 5, function_name $L__info_string0, inlined_at 1 7 3
  ld.param.u64 %rd1, [k_param_0];
  mov.u32 %r1, %tid.x; // a comment
  @!%p1 bra $L__BB0_2;
  ld.global.v2.u32 {%r1, _}, [%rd1+-8];
  shfl.sync.down.b32 %r2|%p2, %r1, 16, 31, -1;
  { /* call */
    .param .b64 param0; .param .b32 retval0;
    st.param.b64 [param0+0], %rd1;
    call.uni (retval0), vprintf, (param0, param0);
    proto: .callprototype (.param .b32 _) _ (.param .b64 _);
    call (retval0), %rd2, (param0), proto;
  }
  ts: .branchtargets $L__BB0_1, $L__BB0_2;
  brx.idx %r1, ts;
$L__BB0_1:
  mov.f32 v.x, 0f3F800000;
  .pragma "nounroll";
$L__BB0_2:
  ret;
}
.file 1 "k.cu"
.section .debug_str
{
$L__info_string0:
.b8 102,0
}
)";

/// True when it parses, false when it is refused; anything else escapes and fails the test.
bool parses(std::string_view text) {
  try {
    parse(text);
    return true;
  } catch (const ParseError&) {
    return false;
  }
}

TEST(Damage, LeavesTheSampleWhole) { EXPECT_EQ(mistake_in(sample), ""); }

TEST(Damage, ByCuttingShortIsSurvivedAtEveryLength) {
  const std::string_view text = sample;
  for (std::size_t length = 0; length < text.size(); ++length) parses(text.substr(0, length));
  EXPECT_FALSE(parses(text.substr(0, text.size() - 3))) << "the last brace is missing";
}

TEST(Damage, ByDroppingACharacterIsSurvivedAtEveryPlace) {
  const std::string text = sample;
  std::size_t refused = 0;
  for (std::size_t at = 0; at < text.size(); ++at) refused += !parses(std::string(text).erase(at, 1));
  EXPECT_GT(refused, text.size() / 4);
}

TEST(Damage, ByExchangingACharacterIsSurvivedAtEveryPlace) {
  constexpr std::string_view characters = "\0\n \"'()*+,-./09:;<=>?@AZ[]^_az{|}~%$!&\xff"sv;
  const std::string text = sample;
  std::mt19937 random(1);
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (int i = 0; i < 4; ++i) {
      std::string damaged = text;
      damaged[at] = characters[random() % characters.size()];
      parses(damaged);
    }
  }
}

TEST(Damage, ByRepeatingATokenIsSurvived) {
  for (const char* token :
       {"{", "}", "(", "[", "<", ".reg ", ".func ", "@", "-", "a ", "\"", "/*", ".section ", "::"}) {
    std::string many;
    for (int i = 0; i < 20000; ++i) many += token;
    EXPECT_FALSE(parses(module_text(many))) << token;
    EXPECT_FALSE(parses(body_text(many))) << token;
    EXPECT_FALSE(parses(module_text(".global .b32 x[1] = " + many))) << token;
  }
}

}  // namespace
}  // namespace warpwright::ptx
