// FAISS's own inner product, for processors with AVX2: it takes the place of the library's, which Debian builds for any x86-64
// and which then adds one number at a time. Every index that compares vectors calls it. Same signature, same meaning.
#include <cstddef>
#if defined(__x86_64__)
#include <immintrin.h>

namespace {

float one_at_a_time(const float* x, const float* y, size_t d) {
  float sum = 0;
  for (size_t i = 0; i < d; i++) sum += x[i] * y[i];
  return sum;
}

__attribute__((target("avx2,fma"))) float eight_at_a_time(const float* x, const float* y, size_t d) {
  __m256 sum0 = _mm256_setzero_ps(), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  size_t i = 0;
  for (; i + 32 <= d; i += 32) {
    sum0 = _mm256_fmadd_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i), sum0);
    sum1 = _mm256_fmadd_ps(_mm256_loadu_ps(x + i + 8), _mm256_loadu_ps(y + i + 8), sum1);
    sum2 = _mm256_fmadd_ps(_mm256_loadu_ps(x + i + 16), _mm256_loadu_ps(y + i + 16), sum2);
    sum3 = _mm256_fmadd_ps(_mm256_loadu_ps(x + i + 24), _mm256_loadu_ps(y + i + 24), sum3);
  }
  for (; i + 8 <= d; i += 8) sum0 = _mm256_fmadd_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i), sum0);
  float parts[8];
  _mm256_storeu_ps(parts, _mm256_add_ps(_mm256_add_ps(sum0, sum1), _mm256_add_ps(sum2, sum3)));
  float sum = one_at_a_time(x + i, y + i, d - i);
  for (float part : parts) sum += part;
  return sum;
}

const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");

} // namespace

namespace faiss {
float fvec_inner_product(const float* x, const float* y, size_t d) {
  return has_avx2 ? eight_at_a_time(x, y, d) : one_at_a_time(x, y, d);
}
} // namespace faiss
#endif
