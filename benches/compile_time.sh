#!/usr/bin/env bash
# What 100 kernels of about 10 lines add to `cargo check` and to a release build of a crate that uses
# Ringwood, and what 100 plain functions of the same lines add: the crate is built with none, with all
# kernels and with all functions, its dependencies not counted.
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
ringwood-device = { path = "$root/core/device" }
[workspace]
END
cp "$root/Cargo.lock" "$work/"

kernel() {
    cat <<END
#[kernel(device = cpu)]
pub fn kernel_$1(a: f32, x: &[f32], y: &mut [f32]) {
    let i = gid(0);
$(body "$1")
}
END
}

plain() {
    cat <<END
pub fn function_$1(a: f32, x: &[f32], y: &mut [f32]) {
    for i in 0..y.len() {
$(body "$1")
    }
}
END
}

body() {
    cat <<END
    let v = x[i] * a + $1.0;
    let mut s = y[i];
    if v > 0.5 {
        s = s + v.min(s);
    } else {
        s = s * v - a;
    }
    y[i] = s * 0.5 + v.abs();
END
}

program() {
    echo '#![allow(unused_imports)]'
    echo 'use ringwood_device::kernel;'
    for ((i = 0; i < $2; i++)); do "$1" "$i"; done
}

# The seconds on the clock and of processors that a build of the crate takes after a change of it.
seconds() {
    touch "$work/src/lib.rs"
    TIMEFORMAT='%R %U'
    { time cargo "$@" --quiet --offline --manifest-path "$work/Cargo.toml" --target-dir "$target" >&3 2>&3; } 2>&1
}

# What a build of a program takes.
built() {
    program "$1" "$2" >"$work/src/lib.rs"
    seconds "${command[@]}"
}

exec 3>&2
for build in check "build --release"; do
    read -ra command <<<"$build"
    built kernel 0 >/dev/null
    none=$(built kernel 0)
    all=$(built kernel "$kernels")
    plain=$(built plain "$kernels")
    echo "$build: $kernels kernels, and as many plain functions"
    awk -v none="$none" -v all="$all" -v plain="$plain" 'BEGIN {
        split(none, n); split(all, a); split(plain, p)
        row = "  %-9s add %6.2f s, and %6.2f s of processor time\n"
        printf "  %-9s take %5.2f s, and %6.2f s of processor time\n", "none", n[1], n[2]
        printf row, "kernels", a[1] - n[1], a[2] - n[2]
        printf row, "functions", p[1] - n[1], p[2] - n[2]
        cost = p[2] - n[2]
        if (cost > 0.05) printf "  ratio     %.1f of processor time\n", (a[2] - n[2]) / cost
        else print "  ratio     unknown: the functions take less than is measured"
    }'
done
