"""Runs models of public packages in ONNX Runtime, and writes what it was given and what it gave.

    pip download --no-deps rapidocr-onnxruntime silero-vad magika …    # real.sh names them all
    python models/scripts/real_models.py PACKAGES CASES

PACKAGES is a folder with one unpacked package in each folder; CASES/NAME/CASE then holds `input_0.pb` …,
`output_0.pb` …, and CASES/NAME/model.txt the path of the model. Needs `onnx` and `onnxruntime`.
"""

import pathlib
import sys

import numpy
import onnx
import onnxruntime
from onnx import numpy_helper

# A file, and the extents of its inputs in each case, in their order: `f` a float from 0 to 1, `t` a token
# below 100, a number itself. What a package does not say stays as its file says.
CASES = {
    "pp-ocrv4-det": ("*/models/ch_PP-OCRv4_det_infer.onnx", [["f 1 3 64 96"], ["f 2 3 96 64"]]),
    "pp-ocrv4-rec": ("*/models/ch_PP-OCRv4_rec_infer.onnx", [["f 1 3 48 64"], ["f 2 3 48 96"]]),
    "pp-ocr-cls": ("*/models/ch_ppocr_mobile_v2.0_cls_infer.onnx", [["f 1 3 48 192"], ["f 3 3 48 100"]]),
    "silero-vad": ("silero_vad/data/silero_vad.onnx", [["f 1 576", "f 2 1 128", "16000"], ["f 2 288", "f 2 2 128", "8000"]]),
    "silero-vad-16k": ("*/data/silero_vad_16k_op15.onnx", [["f 1 576", "f 2 1 128", "16000"], ["f 2 576", "f 2 2 128", "16000"]]),
    "silero-vad-16k-sequence": ("*/data/silero_vad_16k_sequence.onnx", [["f 1 576", "f 1 1 128", "f 1 1 128"], ["f 5 576", "f 1 1 128", "f 1 1 128"]]),
    "silero-vad-half": ("*/data/silero_vad_half.onnx", [["f 1 576", "f 2 1 128"], ["f 3 576", "f 2 3 128"]]),
    "silero-vad-ifless": ("*/data/silero_vad_op18_ifless.onnx", [["f 1 576", "16000", "f 2 1 128"], ["f 2 288", "8000", "f 2 2 128"]]),
    "silero-vad-openvino": ("*/data/silero_vad_openvino_16k.onnx", [["f 1 576", "f 2 1 128"]]),
    "magika": ("*/models/standard_v3_3/model.onnx", [["t 1 2048"], ["t 3 2048"]]),
    "ddddocr-det": ("ddddocr/common_det.onnx", [["f 1 3 416 416"]]),
    "ddddocr-crnn": ("ddddocr/common.onnx", [["f 1 1 64 96"], ["f 1 1 64 160"]]),
    "basic-pitch": ("*/icassp_2022/nmp.onnx", [["f 1 43844 1"], ["f 2 43844 1"]]),
    "pp-ocrv6-det": ("*/models/PP-OCRv6_det_small.onnx", [["f 1 3 64 96"], ["f 2 3 96 64"]]),
    "pp-ocrv6-rec": ("*/models/PP-OCRv6_rec_small.onnx", [["f 1 3 48 64"], ["f 2 3 48 96"]]),
    "nudenet": ("nudenet/320n.onnx", [["f 1 3 320 320"], ["f 2 3 192 256"]]),
    "smart-turn": ("*/data/smart-turn-v3.2-cpu.onnx", [["f 1 80 800"], ["f 2 80 800"]]),
    "dnsmos": ("*/dnsmos_models/sig_bak_ovr.onnx", [["f 1 144160"], ["f 2 144160"]]),
    "openwakeword-spectrogram": ("*/models/melspectrogram.onnx", [["f 1 16000"], ["f 2 8000"]]),
    "openwakeword-embedding": ("*/models/embedding_model.onnx", [["f 1 76 32 1"], ["f 3 76 32 1"]]),
    "swift-f0": ("swift_f0/model.onnx", [["f 1 16000", "50", "1000"]]),
    "nakdimon": ("*/hebrew/nakdimon.onnx", [["f 1 40"], ["f 2 80"]]),
    "open-nsfw": ("*/open-nsfw.onnx", [["f 1 224 224 3"], ["f 2 224 224 3"]]),
    "mrz-seg": ("*/model/mrz_seg.onnx", [["f 1 256 256 3"], ["f 2 256 256 3"]]),
    "captcha-slider": ("*/models/slider.onnx", [["f 1 3 640 640"]]),
    "rivagan-encoder": ("*/rivagan_encoder.onnx", [["f 1 3 1 64 64", "f 1 32"], ["f 2 3 1 64 96", "f 2 32"]]),
    "silero-vad-v6": ("*/assets/silero_vad_v6.onnx", [["f 1 576", "f 1 1 128", "f 1 1 128"], ["f 5 576", "f 1 1 128", "f 1 1 128"]]),
    "bert-2-layers": ("bert-2-layers.onnx", [["t 1 16", "t 1 16"]]),
    "gpt2-2-layers": ("gpt2-2-layers.onnx", [["t 1 16"]]),
    "whisper-encoder-2-layers": ("whisper-encoder-2-layers.onnx", [["f 1 16 100"]]),
    **{
        name: (f"light_{name}.onnx", [["f 1 3 224 224"]])
        for name in "bvlc_alexnet densenet121 inception_v1 inception_v2 resnet50 shufflenet squeezenet vgg19 zfnet512".split()
    },
}


def tensor(words, dtype, random):
    kind, *extents = words.split()
    if not extents:
        return numpy.array(int(kind), dtype)
    extents = [int(extent) for extent in extents]
    if kind == "t":
        return random.integers(0, 100, extents).astype(dtype)
    return random.random(extents).astype(dtype)


def with_weights(model, random):
    """The constants that a light model fills with one value become random weights of the usual size."""
    constants = {i.name: numpy_helper.to_array(i) for i in model.graph.initializer}
    kept = []
    for node in model.graph.node:
        shape = constants.get(node.input[0]) if node.op_type == "ConstantOfShape" else None
        if shape is None:
            kept.append(node)
            continue
        fan = max(1, int(numpy.prod(shape[1:])))
        weights = random.standard_normal(shape) / fan**0.5
        # Scales and variances are among the vectors: near 1, no layer drowns the next.
        weights = 1 + 0.1 * weights if len(shape) == 1 else weights
        weights = weights.astype(numpy.float32)
        model.graph.initializer.append(numpy_helper.from_array(weights, node.output[0]))
    del model.graph.node[:]
    model.graph.node.extend(kept)


def main(packages, cases):
    onnxruntime.set_default_logger_severity(3)
    types = {"tensor(float)": numpy.float32, "tensor(int64)": numpy.int64, "tensor(int32)": numpy.int32}
    for name, (pattern, shapes) in CASES.items():
        paths = sorted(packages.rglob(pattern))
        if not paths:
            print(f"skipped: {name}: no {pattern}")
            continue
        path, random = paths[0], numpy.random.default_rng(1)
        folder = cases / name
        folder.mkdir(parents=True, exist_ok=True)
        if path.name.startswith("light_"):
            model = onnx.load(path)
            with_weights(model, random)
            path = folder / "model.onnx"
            onnx.save(model, path)
        (folder / "model.txt").write_text(str(path.resolve()))
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        for case, given in enumerate(shapes):
            inputs = session.get_inputs()
            given = {i.name: tensor(words, types[i.type], random) for i, words in zip(inputs, given, strict=True)}
            outputs = session.run(None, given)
            (folder / str(case)).mkdir(exist_ok=True)
            for stem, values in ("input", given.values()), ("output", outputs):
                for i, value in enumerate(values):
                    written = numpy_helper.from_array(numpy.asarray(value)).SerializeToString()
                    (folder / str(case) / f"{stem}_{i}.pb").write_bytes(written)
        print(f"{name}: {len(shapes)} cases")


main(*map(pathlib.Path, sys.argv[1:]))
