#!/usr/bin/env bash
# Installs ONNX Runtime, with which the bench `mlp` compares, beside the build.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
python3 -m pip install --quiet --upgrade --target "${CARGO_TARGET_DIR:-$root/target}/peer" \
    onnxruntime==1.31.1 onnx==1.22.0 numpy
