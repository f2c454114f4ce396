"""Exports networks of PyTorch, torchvision and transformers, with random weights, by both of PyTorch's exporters, and
compares what ONNX Runtime and `ringwood run` make of them: one line for each, and those that differ at the end.

    pip install torch torchvision transformers onnx onnxscript onnxruntime
    cargo build --release
    python models/scripts/exported.py FOLDER [part of a name …]

FOLDER gets the models. What an exporter refuses is left out.
"""

import logging
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import numpy
import onnxruntime
import torch
import torchvision
import transformers
from torch.export import Dim
from torch.nn import functional as F

RINGWOOD = pathlib.Path(__file__).parents[2] / "target/release/ringwood"
# Of the largest element of a result.
TOLERANCE = 1e-3

TINY = dict(
    vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, max_position_embeddings=64
)
GROUPED = dict(TINY, num_key_value_heads=2, use_cache=False, pad_token_id=0)
GPT = dict(vocab_size=99, n_embd=32, n_layer=2, n_head=4, n_positions=64, use_cache=False)
# Networks of transformers for texts, by the beginnings of their classes.
TEXTS = {
    "Bert Model": TINY,
    "Roberta Model": TINY,
    "Electra Model": dict(TINY, embedding_size=16),
    "Albert Model": dict(TINY, embedding_size=16),
    "DebertaV2 Model": dict(TINY, relative_attention=True, position_buckets=16, pos_att_type=["p2c", "c2p"]),
    "GPT2 LMHeadModel": GPT,
    "GPTJ ForCausalLM": dict(GPT, rotary_dim=4),
    "GPTNeoX ForCausalLM": dict(TINY, use_cache=False),
    "Bloom ForCausalLM": dict(vocab_size=99, hidden_size=32, n_layer=2, n_head=4, use_cache=False),
    "T5 EncoderModel": dict(vocab_size=99, d_model=32, d_kv=8, d_ff=37, num_layers=2, num_heads=4),
    "Gemma2 ForCausalLM": dict(GROUPED, head_dim=8),
    "Qwen3 ForCausalLM": dict(GROUPED, head_dim=8),
    **{f"{name} ForCausalLM": GROUPED for name in "Llama Mistral Qwen2 Phi3 Olmo StableLm Granite Starcoder2 SmolLM3".split()},
}
EYES = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=37, image_size=32, patch_size=8)
IMAGES = {
    "ViT Model": EYES,
    "Dinov2 Model": EYES,
    "CLIPVision Model": EYES,
    "SiglipVision Model": EYES,
    "Segformer ForSemanticSegmentation": dict(
        hidden_sizes=[8, 16, 24, 32], depths=[1] * 4, num_attention_heads=[1, 2, 2, 4], decoder_hidden_size=32
    ),
}
VISION = "resnet18 mobilenet_v3_small efficientnet_b0 convnext_tiny swin_t densenet121 squeezenet1_0 shufflenet_v2_x0_5 mnasnet0_5"
# What a network of one layer, or of one operator, does with `[2, 6, 8]`; an image is made of that.
LAYERS = {
    "lstm": torch.nn.LSTM(8, 5, 2, batch_first=True, bidirectional=True),
    "gru": torch.nn.GRU(8, 5, batch_first=True),
    "attention": lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True),
    "encoder": torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2),
    "split": lambda x: x.split([2, x.shape[1] - 2], 1)[1] * 2,
    "unbind": lambda x: torch.stack([row.relu() for row in x.unbind(1)], 2),
    "tensor_split": lambda x: x.tensor_split(4, 1)[2],
    "nearest": lambda x: F.interpolate(x[None], scale_factor=1.7, mode="nearest"),
    "bicubic": lambda x: F.interpolate(x[None], size=(5, 7), mode="bicubic"),
    "antialias": lambda x: F.interpolate(x[None], size=(5, 7), mode="bilinear", antialias=True),
    "pools": lambda x: (F.adaptive_avg_pool1d(x, 5), F.max_pool1d(x, 3, 2, 1, ceil_mode=True)),
    "grid": lambda x: F.grid_sample(x[None], x.reshape(1, 6, 8, 2), mode="bicubic", padding_mode="reflection"),
    "fold": lambda x: F.fold(F.unfold(x[None], 3, padding=1), (6, 8), 3, padding=1),
    "scatter": lambda x: x.scatter_reduce(1, torch.zeros(2, 2, 8, dtype=torch.int64), x[:, :2], "amax"),
    "put": lambda x: x.clone().index_put((torch.tensor([0, 1]), torch.tensor([2, 3])), torch.ones(2, 8)),
    "chosen": lambda x: x[x > 0],
    "sorted": lambda x: (*x.sort(1), *x.topk(3, 2)),
    "unique": lambda x: torch.unique((x * 2).round(), return_inverse=True),
    "sums": lambda x: (x.std(1), x.logsumexp(1), x.cumsum(1), x.norm(dim=1), x.argmax(2)),
    "moved": lambda x: (x.roll(2, 1), x.flip(1), x.unfold(1, 3, 1), x.repeat_interleave(2, 1)),
    "divided": lambda x: (x // 0.7, x % 0.7, torch.fmod(x, 0.7), (x * 9).int() // -4, (x * 9).int() % -4),
    "fourier": lambda x: torch.view_as_real(torch.fft.fft2(x)),
    "determinant": lambda x: torch.det(x[:, :3, :3]),
    "padded": lambda x: (F.pad(x, (1, 2), mode="reflect"), F.pad(x, (1, 2), mode="circular"), F.pad(x, (-1, 2), value=3.0)),
}


class Steps(torch.nn.Module):
    """A loop that collects what its steps give, as TorchScript writes it."""

    def forward(self, x):
        outputs: list[torch.Tensor] = []
        state = torch.zeros(x.shape[1], x.shape[2])
        for i in range(x.shape[0]):
            state = torch.tanh(x[i] + state)
            outputs.append(state)
        return torch.stack(outputs), state


class Call(torch.nn.Module):
    """A function of tensors, which may belong to a network."""

    def __init__(self, function, network=None):
        super().__init__()
        self.function, self.network = function, network

    def forward(self, *given):
        return self.function(self.network, *given) if self.network else self.function(*given)


def first(result):
    return result[0]


def networks():
    """The name of each network, what makes it, its inputs, and their open dimensions."""
    tokens, mask = torch.randint(0, 90, (2, 11)), torch.ones(2, 11, dtype=torch.int64)
    mask[1, 8:] = 0
    made = lambda words, model, options: getattr(transformers, words + model)(
        getattr(transformers, words + "Config")(**options)
    )
    for name, options in TEXTS.items():
        call = lambda model, tokens, mask: first(model(input_ids=tokens, attention_mask=mask))
        make = lambda name=name, options=options, call=call: Call(call, made(*name.split(), options))
        yield name.split()[0], make, (tokens, mask), [{0, 1}, {0, 1}]
    for name, options in IMAGES.items():
        call = lambda model, image: first(model(pixel_values=image))
        make = lambda name=name, options=options, call=call: Call(call, made(*name.split(), options))
        yield name.split()[0], make, (torch.randn(2, 3, 32, 32),), [{0}]
    for name in VISION.split():
        make = lambda name=name: Call(lambda model, x: model(x), getattr(torchvision.models, name)(weights=None))
        yield name, make, (torch.randn(2, 3, 64, 64),), [{0}]
    for name, layer in LAYERS.items():
        network = layer if isinstance(layer, torch.nn.Module) else None
        make = lambda layer=layer, network=network: Call((lambda layer, x: layer(x)) if network else layer, network)
        yield name, make, (torch.randn(2, 6, 8),), [set()]
    yield "steps", lambda: torch.jit.script(Steps()), (torch.randn(5, 2, 3),), [{0}]


def export(network, inputs, opens, by_script, path):
    names = [f"in{i}" for i in range(len(inputs))]
    if by_script:
        axes = {name: {axis: f"{name}_{axis}" for axis in axes} for name, axes in zip(names, opens) if axes}
        torch.onnx.export(network, inputs, path, dynamo=False, input_names=names, dynamic_axes=axes, opset_version=17)
    else:
        shapes = (tuple({axis: Dim.DYNAMIC for axis in axes} for axes in opens),)
        torch.onnx.export(network, inputs, path, dynamo=True, input_names=names, dynamic_shapes=shapes, verbose=False)


def differences(path, inputs):
    """What differs between ONNX Runtime and Ringwood, in words."""
    session = onnxruntime.InferenceSession(path)
    given = {value.name: tensor.numpy() for value, tensor in zip(session.get_inputs(), inputs)}
    wanted = session.run(None, given)
    with tempfile.TemporaryDirectory() as folder:
        command = [RINGWOOD, "run", path, "--devices", "cpu", "--output-dir", f"{folder}/out"]
        for i, (name, values) in enumerate(given.items()):
            numpy.save(f"{folder}/{i}.npy", values)
            command += ["--input", f"{name}={folder}/{i}.npy"]
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode:
            return [ran.stderr.strip()]
        names = [re.sub(r"[^A-Za-z0-9._-]", "_", value.name) for value in session.get_outputs()]
        got = [numpy.load(f"{folder}/out/{name}.npy") for name in names]
    found = []
    for name, value, want in zip(names, got, wanted):
        if value.shape != want.shape or value.dtype != want.dtype:
            found.append(f"{name} is {value.dtype}{value.shape}, not {want.dtype}{want.shape}")
        elif not numpy.allclose(value, want, rtol=0, atol=TOLERANCE * max(abs(want).max(initial=0), 1e-3), equal_nan=True):
            found.append(f"{name} differs")
    return found


def main():
    folder, words = pathlib.Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    torch.manual_seed(0)
    wrong = same = refused = 0
    for name, make, inputs, opens in networks():
        if words and not any(word in name for word in words):
            continue
        for exporter in ("dynamo", "script"):
            path = folder / f"{name}-{exporter}.onnx"
            try:
                with torch.no_grad():
                    export(make().eval(), inputs, opens, exporter == "script", path)
            except Exception as error:
                refused += 1
                print(f"{name} {exporter}: not exported: {str(error).strip().splitlines()[0][:80]}")
                continue
            found = differences(path, inputs)
            same, wrong = same + (not found), wrong + bool(found)
            print(f"{name} {exporter}: {'; '.join(found) or 'same'}", flush=True)
    print(f"{same} same, {wrong} different, {refused} not exported")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
