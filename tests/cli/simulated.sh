#!/bin/bash
# A simulated device through the whole tool: measured like any other, without drivers, and never
# taken for one.
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

# This test must not use a driver.
export OCL_ICD_VENDORS=/nonexistent OCL_ICD_FILENAMES='' VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent

# latency [ARGUMENT of run...]: a measurement of a fraction of a second.
latency() {
  "$percycle" run latency --preset quick --no-progress --set path=global,constant --set max=64K "$@"
}

echo "it is named, but nobody's device"
expect 0 "$percycle" devices
grep -q '^simulated .*\bt4\b' stdout || fail "devices does not name the models"
expect 0 "$percycle" devices --json
[[ -z $(runnable_devices stdout) ]] || fail "a simulated device poses as one of this machine"
grep -q '"simulated"' stdout || fail "devices --json does not name the models"
expect 0 "$percycle" list
grep -q '^simulated devices.*\bt4\b' stdout || fail "list does not name the models"
expect_line 2 'no opencl*device' "$percycle" run latency
expect_line 2 'excludes all its matches (sim:t4' latency --api vulkan --device sim:t4

echo "a run without drivers"
expect 0 latency --device sim:t4 --out t4.jsonl
[[ $(<stdout) == *'not measured: sim:t4'* ]] || fail "run ends with: $(<stdout)"
[[ ! -s stderr ]] || fail "run says: $(<stderr)"
expect 0 "$percycle" validate t4.jsonl
[[ $(<stdout) == *'(1 header (1 simulated), '* ]] || fail "validate does not say that it is simulated: $(<stdout)"
grep -q '"source":"simulated"' t4.jsonl || fail "the header does not say that it is simulated"
! grep -q '"architecture"' t4.jsonl || fail "the header takes it for silicon"
! grep '"kind":"point"' t4.jsonl | grep -Ev '"provenance":"calibrated-chain","value":(1589|1590)[.0-9]*}' || fail "the ALU chain does not tell the model's clock"
grep -q '"unit_name":"SM"' t4.jsonl || fail "the header does not name its units"
! grep '"kind":"point"' t4.jsonl | grep -v '"status":"ok"' || fail "not every point is ok"
expect 0 "$percycle" show t4.jsonl
[[ $(<stdout) == *'simulated 20'*'not a measurement'* ]] || fail "show does not say that it is simulated"
! grep -q 'measured 20' stdout || fail "show says that it was measured"

echo "its file says so by name, and so do its progress and a file of several"
mkdir named
(cd named && expect 0 latency --device sim:t4 --device sim:gcn)
files=(named/*)
[[ ${#files[@]} == 1 && ${files[0]} == named/percycle-simulated-*.jsonl ]] || fail "the default file is ${files[*]}"
grep -c '"source":"simulated"' "${files[0]}" | grep -qx 2 || fail "not two simulated headers"
expect 0 "$percycle" run latency --preset quick --set path=constant --set max=2K --device sim:t4 --out told.jsonl
grep -qi simulated stderr || fail "progress says: $(<stderr)"

echo "equal seeds give equal numbers"
expect 0 latency --device sim:t4 --out again.jsonl
for file in t4 again; do grep '"kind":"point"' $file.jsonl | sed 's/"header":"[0-9a-f]*",//' >$file.points; done
cmp t4.points again.points || fail "two runs of one model differ"

echo "a standard sweep of each model, with its summary, takes four seconds of a core at most"
read -ra models < <("$percycle" list | sed -n 's/^simulated devices.*): //p' | tr -d ,)
((${#models[@]} == 10)) || fail "list names ${#models[@]} models"
for model in "${models[@]}"; do
  TIMEFORMAT='%U %S'
  { time "$percycle" run latency --device "sim:$model" --no-progress --out "sweep-$model.jsonl" >/dev/null 2>&1; } 2>times
  awk '$1 + $2 > 4 { exit 1 }' times || fail "sim:$model took $(<times) s (user, system)"
done

echo "the points of the summary first"
expect 0 "$percycle" run geometry latency l1-bandwidth --device sim:t4 --preset quick --no-progress --out order.jsonl
points() { grep '"kind":"point"' order.jsonl | grep -nE "$@" | cut -d: -f1; }
headline='"experiment":"(latency".*"path":"global"|l1-bandwidth")'
(($(points "$headline" | tail -n 1) < $(points -v "$headline" | head -n 1))) || fail "another point was measured before a headline"
[[ $(points '"experiment":"latency"' | head -n 1) == 1 ]] || fail "the hierarchy was not the first"

echo "resumed"
head -n 5 t4.jsonl >half.jsonl
expect 0 "$percycle" run --resume half.jsonl --no-progress
expect 0 "$percycle" validate half.jsonl
(($(grep -c '"kind":"point"' half.jsonl) == $(grep -c '"kind":"point"' t4.jsonl))) || fail "--resume did not measure the rest"

echo "a model of one's own, by a path as given"
mkdir models
cp "$source_dir/src/sim/models/t4.toml" models/mine.toml
expect 0 latency --device sim:models/mine.toml --out mine.jsonl
grep -q '"model":"models/mine.toml"' mine.jsonl || fail "the record does not name the file as it was given"
head -n 5 mine.jsonl >mine-half.jsonl
echo '# the same figures, but who knows' >>models/mine.toml
cp mine-half.jsonl before.jsonl
expect_line 2 'sim:models/mine.toml changed' "$percycle" run --resume mine-half.jsonl
cmp -s mine-half.jsonl before.jsonl || fail "a refused --resume changed the file"
rm models/mine.toml
expect_line 2 'models/mine.toml' "$percycle" run --resume mine-half.jsonl

echo "models that there are not, or that are wrong"
expect_line 2 'sim:t5: unknown model' latency --device sim:t5 --out none.jsonl
expect_line 2 'none.toml' latency --device sim:none.toml --out none.jsonl
expect_line 2 'sim:' latency --device sim: --out none.jsonl
sed 's/^units = .*/units = "many"/' "$source_dir/src/sim/models/t4.toml" >broken.toml
expect_line 2 "broken.toml:$(grep -n '^units =' broken.toml | cut -d: -f1)" latency --device sim:broken.toml --out none.jsonl
[[ ! -e none.jsonl ]] || fail "a refused run left a file"
