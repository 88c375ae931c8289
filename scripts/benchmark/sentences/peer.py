"""Reads passages with onnxruntime by the weights of the transformer, in 8 bits and on one core, and prints passages a second of
processor time. Standard input has the pieces of each, and of the first the vector that Vigueur made."""
import json, logging, resource, struct, sys, tempfile
import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

logging.disable(logging.WARNING)
data = open(sys.argv[1], "rb").read()[8:]
n = struct.unpack("<I", data[:4])[0]
head = json.loads(data[4:4 + n])
H, L, A, I, P = head["Hidden"], head["Layers"], head["Heads"], head["Inner"], head["Positions"]
place = 4 + n


def take(count, kind):
    global place
    out = np.frombuffer(data, kind, count, place)
    place += out.nbytes
    return out


def quants(rows, length):
    blocks = take(rows * length // 32 * 18, np.uint8).reshape(-1, 18)
    scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    low, high = (blocks[:, 2:] & 15).astype(np.float32) - 8, (blocks[:, 2:] >> 4).astype(np.float32) - 8
    return (np.concatenate([low, high], 1) * scale).reshape(rows, length)


nodes, weights, count = [], [], 0


def keep(array):
    weights.append(numpy_helper.from_array(np.ascontiguousarray(array, dtype=np.float32 if array.dtype != np.int64 else np.int64), f"w{len(weights)}"))
    return weights[-1].name


def do(op, *inputs, **more):
    global count
    count += 1
    nodes.append(helper.make_node(op, list(inputs), [f"x{count}"], **more))
    return f"x{count}"


def linear(x, rows, length):
    w = quants(rows, length)
    return do("Add", do("MatMul", x, keep(w.T)), keep(take(rows, np.float32)))


def norm(x, w, b):
    return do("LayerNormalization", x, keep(w), keep(b), axis=-1, epsilon=head["Epsilon"])


def later():
    return take(H, np.float32), take(H, np.float32)


words = quants(len(head["Pieces"]["Names"]), H)
positions = take(P * H, np.float16).reshape(P, H)
x = norm("embedded", *later())
heads = keep(np.array([0, -1, A, H // A]))
for _ in range(L):
    q, k, v = (do("Transpose", do("Reshape", linear(x, H, H), heads), perm=[0, 2, 1, 3]) for _ in range(3))
    scores = do("Mul", do("MatMul", q, do("Transpose", k, perm=[0, 1, 3, 2])), keep(np.array((H // A) ** -0.5, dtype=np.float32)))
    read = do("Reshape", do("Transpose", do("MatMul", do("Softmax", scores, axis=-1), v), perm=[0, 2, 1, 3]), keep(np.array([0, -1, H])))
    x = norm(do("Add", x, linear(read, H, H)), *later())
    up = do("Gelu", linear(x, I, H))
    x = norm(do("Add", x, linear(up, H, I)), *later())
nodes[-1].output[0] = "read"
graph = helper.make_graph(nodes, "e5", [helper.make_tensor_value_info("embedded", TensorProto.FLOAT, [1, None, H])],
                          [helper.make_tensor_value_info("read", TensorProto.FLOAT, [1, None, H])], weights)
with tempfile.TemporaryDirectory() as folder:
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9), folder + "/whole.onnx")
    quantize_dynamic(folder + "/whole.onnx", folder + "/eight.onnx", weight_type=QuantType.QInt8, per_channel=True)
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = ort.InferenceSession(folder + "/eight.onnx", options, providers=["CPUExecutionProvider"])


def encode(pieces):
    (out,) = session.run(None, {"embedded": (words[pieces] + positions[:len(pieces)].astype(np.float32))[None]})
    v = out[0].mean(0)
    return v / np.linalg.norm(v)


passages = json.load(sys.stdin)
like = float(encode(passages[0]["pieces"]) @ np.array(passages[0]["vector"]))
print(f"onnxruntime: the cosine of its vector and Vigueur's is {like:.4f}", file=sys.stderr)
before = resource.getrusage(resource.RUSAGE_SELF)
for p in passages:
    encode(p["pieces"])
after = resource.getrusage(resource.RUSAGE_SELF)
print(len(passages) / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
