#!/bin/sh
# Runs what lies beside it on the machine's GPU: record, on arithmetic.plan, and the four questions of diverged, each of
# which may hang and has a limit of time. Results go to the folder given, by default $OUT.
#
#   run.sh [FOLDER]
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-${OUT:-.}}
status=0
# Built elsewhere, they may want another C library: then the compilers of this machine have to help.
bin=$here
"$bin/record" >/dev/null 2>&1
if [ $? -ne 2 ]; then
  bin=$(mktemp -d)
  c++ -std=c++20 -O1 "$here/record.cpp" -o "$bin/record" -ldl
  nvcc -O2 -arch=sm_90 "$here/diverged.cu" -o "$bin/diverged"
fi
timeout -k 5 90 "$bin/record" "$here" "$out/arithmetic.results" >"$out/record.txt" 2>&1 || status=$?
echo "record: status $status" >>"$out/record.txt"
for question in shuffle barrier late mixed; do
  answer=0
  timeout -k 2 10 "$bin/diverged" "$question" >>"$out/diverged.txt" 2>&1 || answer=$?
  echo "$question: status $answer (124 or 137: it hung)" >>"$out/diverged.txt"
done
cat "$out/record.txt" "$out/diverged.txt"
exit "$status"
