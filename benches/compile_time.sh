#!/usr/bin/env bash
# What 100 kernels of about 10 lines add to `cargo check` and to a release build of a crate that uses
# Ringwood: the crate is built with none and with all of them, its dependencies not counted.
#
#   benches/compile_time.sh [KERNELS]
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
kernels=${1:-100}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
target=${CARGO_TARGET_DIR:-$root/target}

mkdir -p "$work/src"
cat >"$work/Cargo.toml" <<END
[package]
name = "compile-time"
edition = "2024"
[dependencies]
ringwood-core = { path = "$root/core" }
[workspace]
END
cp "$root/Cargo.lock" "$work/"

kernel() {
    cat <<END
#[kernel(device = cpu)]
pub fn kernel_$1(a: f32, x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    let v = x[i] * a + $1.0;
    let mut s = y[i];
    if v > 0.5 {
        s = s + v.min(s);
    } else {
        s = s * v - a;
    }
    y[i] = s * 0.5 + v.abs();
}
END
}

program() {
    echo '#![allow(unused_imports)]'
    echo 'use ringwood_core::kernel;'
    for ((i = 0; i < $1; i++)); do kernel "$i"; done
}

# The seconds on the clock and of processors that a build of the crate takes after a change of it.
seconds() {
    touch "$work/src/lib.rs"
    TIMEFORMAT='%R %U'
    { time cargo "$@" --quiet --offline --manifest-path "$work/Cargo.toml" --target-dir "$target" >&3 2>&3; } 2>&1
}

exec 3>&2
for build in check "build --release"; do
    read -ra command <<<"$build"
    program 0 >"$work/src/lib.rs"
    seconds "${command[@]}" >/dev/null
    none=$(seconds "${command[@]}")
    program "$kernels" >"$work/src/lib.rs"
    all=$(seconds "${command[@]}")
    echo "$build: $kernels kernels"
    awk -v none="$none" -v all="$all" 'BEGIN {
        split(none, n); split(all, a)
        printf "  add %.2f s, and %.2f s of processor time, to %.2f s and %.2f s\n", a[1] - n[1], a[2] - n[2], n[1], n[2]
    }'
done
