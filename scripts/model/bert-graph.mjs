// A BERT sentence encoder as one ONNX graph: fused operators, mean pooling and normalising inside.
// The order and the names of the parts decide the bytes, and the bytes are what the hash in build-model.mjs checks.
import { input, int, model, node, output, real, TYPE, tensor } from "./onnx-writer.mjs";

const FUSED = { domain: "com.microsoft" };
/** 7 bits: with 8, products of signed weights overflow 16-bit sums on CPUs that have AVX2 and no VNNI. */
const WEIGHT_LIMIT = 63;

/** `precision` is "fp32" or "int7". With `pooled: false` the vectors of all tokens come out, as published graphs have it. */
export function bertGraph({ weights, config, precision, pooled = true }) {
  const { hidden_size: width, num_hidden_layers: depth, num_attention_heads: heads, layer_norm_eps: eps } = config;
  const exact = precision === "fp32";
  const parts = [];
  const add = (...more) => parts.push(...more);
  const floats = (name, shape, values) => add(tensor(name, shape, TYPE.float, values));
  const indices = (name, value) => add(tensor(name, [1], TYPE.int64, BigInt64Array.of(value)));
  const epsilon = real(eps);

  add(input("input_ids", TYPE.int64, ["B", "S"]), input("attention_mask", TYPE.int64, ["B", "S"]));
  if (pooled) add(output("sentence_embedding", TYPE.float, ["B", width]));
  else add(input("token_type_ids", TYPE.int64, ["B", "S"]), output("last_hidden_state", TYPE.float, ["B", "S", width]));
  embeddings();
  for (let layer = 0; layer < depth; layer++) encoderLayer(layer);
  if (pooled) pooling(`x${depth}`);
  else add(node("Identity", [`x${depth}`], ["last_hidden_state"]));
  return model("minilm", "lab", parts);

  function embeddings() {
    const words = weights.get("embeddings.word_embeddings.weight");
    const positions = weights.get("embeddings.position_embeddings.weight");
    const types = weights.get("embeddings.token_type_embeddings.weight");
    // Every token is of type 0, so its vector can be folded into the positions.
    const folded = positions.values.map((value, i) => value + types.values[i % width]);
    floats("pos", positions.shape, folded);
    floats("eg", [width], weights.get("embeddings.LayerNorm.weight").values);
    floats("eb", [width], weights.get("embeddings.LayerNorm.bias").values);
    add(node("Cast", ["input_ids"], ["ids32"], { to: int(TYPE.int32) }));
    add(node("Cast", ["attention_mask"], ["mask32"], { to: int(TYPE.int32) }));
    if (exact) {
      floats("we", words.shape, words.values);
      const inputs = ["ids32", "", "we", "pos", "", "eg", "eb", "mask32"];
      add(node("EmbedLayerNormalization", inputs, ["x0", "mi"], { epsilon, ...FUSED }));
      return;
    }
    const [vocabulary] = words.shape;
    const { quantised, scales } = quantiseRows(words.values, vocabulary, width);
    add(tensor("weq", [vocabulary, width], TYPE.int8, quantised), tensor("wes", [vocabulary, 1], TYPE.float, scales));
    indices("zero1", 0n);
    indices("one1", 1n);
    indices("two1", 2n);
    add(node("Gather", ["weq", "ids32"], ["gq"], { axis: int(0) }));
    add(node("Cast", ["gq"], ["gf"], { to: int(TYPE.float) }));
    add(node("Gather", ["wes", "ids32"], ["gs"], { axis: int(0) }));
    add(node("Mul", ["gf", "gs"], ["wemb"]));
    add(node("Shape", ["input_ids"], ["shp"]));
    add(node("Slice", ["shp", "one1", "two1"], ["slen"]));
    add(node("Slice", ["pos", "zero1", "slen", "zero1"], ["posS"]));
    add(node("Add", ["wemb", "posS"], ["esum"]));
    add(node("LayerNormalization", ["esum", "eg", "eb"], ["x0"], { axis: int(-1), epsilon }));
    add(node("ReduceSum", ["mask32", "one1"], ["mi"], { keepdims: int(0) }));
  }

  function encoderLayer(layer) {
    const l = `l${layer}`;
    const before = `x${layer}`;
    const get = (name) => weights.get(`encoder.layer.${layer}.${name}`).values;

    attention(l, before, get);
    multiply(`${l}o`, `${l}a`, get("attention.output.dense.weight"), width, width, `${l}ao`);
    addAndNormalise(`${l}ao`, before, `${l}h`, {
      [`${l}ob`]: get("attention.output.dense.bias"),
      [`${l}g1`]: get("attention.output.LayerNorm.weight"),
      [`${l}b1`]: get("attention.output.LayerNorm.bias"),
    });

    const inner = config.intermediate_size;
    multiply(`${l}i`, `${l}h`, get("intermediate.dense.weight"), width, inner, `${l}if`);
    floats(`${l}ib`, [inner], get("intermediate.dense.bias"));
    add(node("BiasGelu", [`${l}if`, `${l}ib`], [`${l}ig`], FUSED));
    multiply(`${l}f`, `${l}ig`, get("output.dense.weight"), inner, width, `${l}ff`);
    addAndNormalise(`${l}ff`, `${l}h`, `x${layer + 1}`, {
      [`${l}fb`]: get("output.dense.bias"),
      [`${l}g2`]: get("output.LayerNorm.weight"),
      [`${l}b2`]: get("output.LayerNorm.bias"),
    });
  }

  function attention(l, x, get) {
    const columns = 3 * width;
    const joined = new Float32Array(width * columns);
    const biases = new Float32Array(columns);
    for (const [part, name] of ["query", "key", "value"].entries()) {
      const weight = get(`attention.self.${name}.weight`);
      biases.set(get(`attention.self.${name}.bias`), part * width);
      for (let to = 0; to < width; to++)
        for (let from = 0; from < width; from++) joined[from * columns + part * width + to] = weight[to * width + from];
    }
    floats(`${l}qb`, [columns], biases);
    const num_heads = int(heads);
    if (exact) {
      floats(`${l}qkv`, [width, columns], joined);
      add(node("Attention", [x, `${l}qkv`, `${l}qb`, "mi"], [`${l}a`], { num_heads, ...FUSED }));
      return;
    }
    quantisedConstant([`${l}qkvq`, `${l}qkvs`, `${l}qkvz`], joined, width, columns);
    add(node("DynamicQuantizeLinear", [x], [`${l}xq`, `${l}xs`, `${l}xz`]));
    const inputs = [`${l}xq`, `${l}qkvq`, `${l}qb`, `${l}xs`, `${l}qkvs`, "mi", `${l}xz`, `${l}qkvz`];
    add(node("QAttention", inputs, [`${l}a`], { num_heads, ...FUSED }));
  }

  /** y = x · weightᵀ: PyTorch keeps a linear layer as [outputs, inputs]. */
  function multiply(name, x, weight, inputs, outputs, y) {
    const matrix = transpose(weight, outputs, inputs);
    if (exact) {
      floats(`${name}_w`, [inputs, outputs], matrix);
      add(node("MatMul", [x, `${name}_w`], [y]));
      return;
    }
    const constants = [`${name}_q`, `${name}_s`, `${name}_z`];
    quantisedConstant(constants, matrix, inputs, outputs);
    add(node("DynamicQuantizeMatMul", [x, ...constants], [y], FUSED));
  }

  function quantisedConstant([values, scale, zero], matrix, rows, columns) {
    const { quantised, scales } = quantiseColumns(matrix, rows, columns);
    add(tensor(values, [rows, columns], TYPE.int8, quantised));
    floats(scale, [columns], scales);
    add(tensor(zero, [columns], TYPE.int8, new Int8Array(columns)));
  }

  function addAndNormalise(x, skipped, y, constants) {
    for (const [name, values] of Object.entries(constants)) floats(name, [width], values);
    const [bias, gain, shift] = Object.keys(constants);
    add(node("SkipLayerNormalization", [x, skipped, gain, shift, bias], [y], { epsilon, ...FUSED }));
  }

  function pooling(x) {
    indices("ax1", 1n);
    add(node("Cast", ["attention_mask"], ["mf"], { to: int(TYPE.float) }));
    add(node("Unsqueeze", ["mf", "ax1"], ["mu"]));
    add(node("MatMul", ["mu", x], ["ps"]));
    add(node("Squeeze", ["ps", "ax1"], ["pq"]));
    add(node("ReduceSum", ["mf", "ax1"], ["cnt"], { keepdims: int(1) }));
    add(node("Div", ["pq", "cnt"], ["pm"]));
    add(node("LpNormalization", ["pm"], ["sentence_embedding"], { axis: int(-1), p: int(2) }));
  }
}

function transpose(matrix, rows, columns) {
  const turned = new Float32Array(matrix.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) turned[column * rows + row] = matrix[row * columns + column];
  return turned;
}

/** Symmetric, one scale per column, so that one large weight costs only its own column precision. */
function quantiseColumns(matrix, rows, columns) {
  const scales = new Float32Array(columns);
  for (let i = 0; i < matrix.length; i++) {
    const column = i % columns;
    scales[column] = Math.max(scales[column], Math.abs(matrix[i]));
  }
  for (let column = 0; column < columns; column++) scales[column] = (scales[column] || 1e-8) / WEIGHT_LIMIT;
  const quantised = new Int8Array(rows * columns);
  for (let i = 0; i < matrix.length; i++) {
    const rounded = Math.round(matrix[i] / scales[i % columns]);
    quantised[i] = Math.max(-WEIGHT_LIMIT, Math.min(WEIGHT_LIMIT, rounded));
  }
  return { quantised, scales };
}

/** Word vectors are looked up and never multiplied as integers, so they keep all 8 bits. */
function quantiseRows(matrix, rows, columns) {
  const scales = new Float32Array(rows);
  const quantised = new Int8Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const start = row * columns;
    let largest = 1e-8;
    for (let i = start; i < start + columns; i++) largest = Math.max(largest, Math.abs(matrix[i]));
    scales[row] = largest / 127;
    for (let i = start; i < start + columns; i++) quantised[i] = Math.round(matrix[i] / scales[row]);
  }
  return { quantised, scales };
}
