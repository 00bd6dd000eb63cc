/** Where the ONNX file of a model may lie; the first that is there is used. 8-bit weights are a quarter of the size. */
export const MODEL_FILES = ['onnx/model_quantized.onnx', 'onnx/model.onnx'] as const;
