"""Writes the files of tests/data: tensors as NumPy writes them. Needs numpy and ml_dtypes."""

import sys
from pathlib import Path

import ml_dtypes
import numpy as np

folder = Path(sys.argv[1])
types = ["bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"]
types += ["float16", "float32", "float64", ml_dtypes.bfloat16]
arrays = {np.dtype(t).name: np.array([[0, 1, 2], [3, 4, 5]]).astype(t) for t in types}
np.savez(folder / "stored.npz", **arrays)
np.savez_compressed(folder / "deflated.npz", **arrays)
big = np.arange(24, dtype=">i4").reshape(2, 3, 4)
np.save(folder / "fortran_big_endian.npy", np.asfortranarray(big))
np.save(folder / "scalar.npy", np.float32(1.5))
with open(folder / "version_3.npy", "wb") as file:
    np.lib.format.write_array(file, np.arange(3, dtype="<u2"), version=(3, 0))
np.save(folder / "records.npy", np.zeros(2, [("a", "<f4"), ("b", "<i4")]))
np.save(folder / "objects.npy", np.array([None, 1]), allow_pickle=True)
