# Our own C++ compiles without warnings; `warpwright_warnings` is what a target links to promise that.
add_library(warpwright_warnings INTERFACE)
target_compile_options(warpwright_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra>)
