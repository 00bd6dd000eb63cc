/** Paths of the ONNX file of a model; the first existing one is used. 8-bit weights have a quarter of the size. */
export const MODEL_FILES = ['onnx/model_quantized.onnx', 'onnx/model.onnx'] as const;
