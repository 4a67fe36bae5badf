/* backprop: one hidden layer trained by back-propagation.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each iteration presents one input pattern: region 1 sums the weighted inputs
   of each hidden unit by blocks, the host adds the blocks, applies the
   sigmoid, computes the output unit and the errors, and region 2 adjusts the
   weights between input and hidden layer, with momentum.

   The naive variant does what Rodinia's CUDA version does with its data, with
   that version's names, and so has its two faults: output_hidden_cuda is
   allocated on the device and never used, and input_cuda is copied back though
   no region writes it.  The remedied one does neither.

   --map says where data is mapped: `once', around all patterns, or in each of the
   `regions' what it uses.  The latter is the published structure: Rodinia 3.1's
   cuda/backprop/backprop_cuda.cu copies the weights before either kernel and back
   after the second, for every pattern, and its OpenMP offload version (nctu-sslab's
   rodinia, openmp/backprop/backprop.c) maps all arrays of a region before it and
   back after it.  So the weights go there twice for a pattern, though nobody has
   changed them in between.

   Checked against the same training on the host, to an absolute 1e-4: weights are
   of order 1, in float, and a GPU may contract a * b + c.  */

#include "common.h"

#include <math.h>

#define TOLERANCE 1e-4
#define RATE 0.3f
#define MOMENTUM 0.3f
#define TARGET 0.1f
#define BLOCK 16	/* Inputs; Rodinia's.  */

struct net
{
  long inputs, hidden, blocks;
  float *input_cuda;		/* [inputs]; the first is the bias, 1.  */
  float *output_hidden_cuda;	/* [hidden]; naive only.  */
  float *input_hidden_cuda;	/* [inputs][hidden]: weights.  */
  float *hidden_partial_sum;	/* [blocks][hidden].  */
  float *hidden_delta_cuda;	/* [hidden]: errors of the hidden units.  */
  float *input_prev_weights_cuda; /* [inputs][hidden]: last change.  */
  float *hidden_units, *output_weights, *output_prev;	/* The host's.  */
};

static void
layer_forward (const float *input, const float *weights, float *partial,
	       long inputs, long hidden, long blocks, bool offload)
{
#pragma omp target teams distribute parallel for collapse(2)                  \
  if(target: offload)
  for (long b = 0; b < blocks; b++)
    for (long j = 0; j < hidden; j++)
      {
	long end = (b + 1) * BLOCK < inputs ? (b + 1) * BLOCK : inputs;
	float sum = 0;
	for (long i = b * BLOCK; i < end; i++)
	  sum += weights[i * hidden + j] * input[i];
	partial[b * hidden + j] = sum;
      }
}

static void
adjust_weights (const float *delta, const float *input, float *weights,
		float *prev, long inputs, long hidden, bool offload)
{
#pragma omp target teams distribute parallel for collapse(2)                  \
  if(target: offload)
  for (long i = 0; i < inputs; i++)
    for (long j = 0; j < hidden; j++)
      {
	long k = i * hidden + j;
	float change = RATE * delta[j] * input[i] + MOMENTUM * prev[k];
	weights[k] += change;
	prev[k] = change;
      }
}

static float
sigmoid (float x)
{
  return 1 / (1 + expf (-x));
}

/* The host's part between the two regions.  */
static void
output_and_errors (struct net *net)
{
  float sum = 0;
  for (long j = 0; j < net->hidden; j++)
    {
      float in = 0;
      for (long b = 0; b < net->blocks; b++)
	in += net->hidden_partial_sum[b * net->hidden + j];
      net->hidden_units[j] = sigmoid (in);
      sum += net->hidden_units[j] * net->output_weights[j];
    }
  float out = sigmoid (sum);
  float output_delta = out * (1 - out) * (TARGET - out);
  for (long j = 0; j < net->hidden; j++)
    {
      float h = net->hidden_units[j];
      net->hidden_delta_cuda[j]
	= h * (1 - h) * output_delta * net->output_weights[j];
      float change = RATE * output_delta * h + MOMENTUM * net->output_prev[j];
      net->output_weights[j] += change;
      net->output_prev[j] = change;
    }
}

static void
present_pattern (struct net *net, uint64_t *state)
{
  net->input_cuda[0] = 1;
  for (long i = 1; i < net->inputs; i++)
    net->input_cuda[i] = bench_uniform (state);
}

/* The same with what they use mapped.  */
static void
layer_forward_mapped (struct net *net, bool offload)
{
  long n = net->inputs, hidden = net->hidden, blocks = net->blocks;
  float *input_cuda = net->input_cuda, *weights = net->input_hidden_cuda;
  float *partial = net->hidden_partial_sum;
#pragma omp target data map(to: input_cuda[0:n], weights[0:n * hidden])      \
  map(from: partial[0:blocks * hidden])
  layer_forward (input_cuda, weights, partial, n, hidden, blocks, offload);
}

static void
adjust_weights_mapped (struct net *net, bool offload)
{
  long n = net->inputs, hidden = net->hidden;
  float *input_cuda = net->input_cuda, *delta = net->hidden_delta_cuda;
  float *weights = net->input_hidden_cuda;
  float *prev = net->input_prev_weights_cuda;
#pragma omp target data map(to: delta[0:hidden], input_cuda[0:n])            \
  map(tofrom: weights[0:n * hidden], prev[0:n * hidden])
  adjust_weights (delta, input_cuda, weights, prev, n, hidden, offload);
}

/* ITERATIONS patterns, with all data mapped in each region.  */
static void
train_by_regions (struct net *net, uint64_t iterations, uint64_t state)
{
  for (uint64_t k = 0; k < iterations; k++)
    {
      present_pattern (net, &state);
      layer_forward_mapped (net, true);
      output_and_errors (net);
      adjust_weights_mapped (net, true);
    }
}

/* ITERATIONS patterns.  MAPPED: with data on the device in between; else the
   arrays are used where they are.  */
static void
train (struct net *net, uint64_t iterations, uint64_t state, bool mapped,
       bool offload, bool remedied)
{
  long n = net->inputs, hidden = net->hidden, blocks = net->blocks;
  long weights = n * hidden;
  float *input_cuda = net->input_cuda;
  float *output_hidden_cuda = net->output_hidden_cuda;
  float *input_hidden_cuda = net->input_hidden_cuda;
  float *hidden_partial_sum = net->hidden_partial_sum;
  float *hidden_delta_cuda = net->hidden_delta_cuda;
  float *input_prev_weights_cuda = net->input_prev_weights_cuda;
  bool unused = mapped && !remedied;
  BENCH_MAPPED (output_hidden_cuda);

#pragma omp target enter data if(mapped) map(alloc: input_cuda[0:n],         \
  input_hidden_cuda[0:weights], hidden_partial_sum[0:blocks * hidden],       \
  hidden_delta_cuda[0:hidden], input_prev_weights_cuda[0:weights])
#pragma omp target enter data if(unused) map(alloc: output_hidden_cuda[0:hidden])
#pragma omp target update if(mapped) to(input_hidden_cuda[0:weights],        \
  input_prev_weights_cuda[0:weights])
  for (uint64_t k = 0; k < iterations; k++)
    {
      present_pattern (net, &state);
#pragma omp target update if(mapped) to(input_cuda[0:n])
      layer_forward (input_cuda, input_hidden_cuda, hidden_partial_sum, n,
		     hidden, blocks, offload);
#pragma omp target update if(mapped) from(hidden_partial_sum[0:blocks * hidden])
      output_and_errors (net);
#pragma omp target update if(mapped) to(hidden_delta_cuda[0:hidden])
      adjust_weights (hidden_delta_cuda, input_cuda, input_hidden_cuda,
		      input_prev_weights_cuda, n, hidden, offload);
#pragma omp target update if(unused) from(input_cuda[0:n])
    }
#pragma omp target update if(mapped) from(input_hidden_cuda[0:weights])
#pragma omp target exit data if(unused) map(delete: output_hidden_cuda[0:hidden])
#pragma omp target exit data if(mapped) map(delete: input_cuda[0:n],         \
  input_hidden_cuda[0:weights], hidden_partial_sum[0:blocks * hidden],       \
  hidden_delta_cuda[0:hidden], input_prev_weights_cuda[0:weights])
}

static struct net
net_make (long inputs, long hidden, bool unified, bool remedied, uint64_t seed)
{
  struct net net = { .inputs = inputs, .hidden = hidden,
		     .blocks = (inputs + BLOCK - 1) / BLOCK };
  long weights = inputs * hidden;
  net.input_cuda = bench_alloc (unified, inputs * sizeof (float));
  if (!remedied)
    net.output_hidden_cuda = bench_alloc (unified, hidden * sizeof (float));
  net.input_hidden_cuda = bench_alloc (unified, weights * sizeof (float));
  net.hidden_partial_sum
    = bench_alloc (unified, net.blocks * hidden * sizeof (float));
  net.hidden_delta_cuda = bench_alloc (unified, hidden * sizeof (float));
  net.input_prev_weights_cuda = bench_alloc (unified, weights * sizeof (float));
  net.hidden_units = bench_alloc (false, hidden * sizeof (float));
  net.output_weights = bench_alloc (false, hidden * sizeof (float));
  net.output_prev = bench_alloc (false, hidden * sizeof (float));
  /* Small enough that the sums stay in the sigmoid's slope.  */
  float scale = 2 / sqrtf (inputs), output_scale = 2 / sqrtf (hidden);
  for (long k = 0; k < weights; k++)
    {
      net.input_hidden_cuda[k] = scale * ((float) bench_uniform (&seed) - 0.5f);
      net.input_prev_weights_cuda[k] = 0;
    }
  for (long j = 0; j < hidden; j++)
    {
      net.output_weights[j] = output_scale * (float) bench_uniform (&seed);
      net.output_prev[j] = 0;
    }
  return net;
}

static void
net_free (struct net *net, bool unified)
{
  bench_free (unified, net->input_cuda);
  bench_free (unified, net->output_hidden_cuda);
  bench_free (unified, net->input_hidden_cuda);
  bench_free (unified, net->hidden_partial_sum);
  bench_free (unified, net->hidden_delta_cuda);
  bench_free (unified, net->input_prev_weights_cuda);
  free (net->hidden_units);
  free (net->output_weights);
  free (net->output_prev);
}

static bool
check (const struct net *net, const struct bench_common *common)
{
  struct net host = net_make (net->inputs, net->hidden, false, true,
			      common->seed);
  train (&host, common->iterations, common->seed, false, false, true);
  long k = 0, weights = net->inputs * net->hidden;
  while (k < weights && fabsf (net->input_hidden_cuda[k]
			       - host.input_hidden_cuda[k]) <= TOLERANCE)
    k++;
  if (k < weights)
    bench_message ("wrong result: weight %ld is %.7g, not %.7g", k,
		   net->input_hidden_cuda[k], host.input_hidden_cuda[k]);
  net_free (&host, false);
  return k == weights;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 48 << 20, .iterations = 1, .seed = 1 };
  uint64_t hidden = 16;
  const char *variant = "naive", *map = "once";
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    BENCH_VARIANT_OPTION (variant),
    { "hidden", BENCH_NUMBER, &hidden, "units of the hidden layer" },
    { "map", BENCH_TEXT, &map, "data: once, or in each of the regions" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options,
	       "Train a neural network with one hidden layer.");
  bool remedied = bench_remedied (variant);
  if (strcmp (map, "once") != 0 && strcmp (map, "regions") != 0)
    bench_fatal ("--map=%s: expected once or regions", map);
  if (hidden < 1 || hidden > 1 << 20)
    bench_fatal ("--hidden must be between 1 and %d", 1 << 20);
  double each = 2 * hidden + 1 + hidden / (double) BLOCK;
  long inputs = common.size / sizeof (float) / each;
  if (inputs < 2)
    bench_fatal ("--size=%llu is too small for %llu hidden units",
		 (unsigned long long) common.size, (unsigned long long) hidden);
  uint64_t footprint
    = sizeof (float) * (inputs * (2 * hidden + 1) + (2 - remedied) * hidden
			+ (inputs + BLOCK - 1) / BLOCK * hidden);
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      return 0;
    }

  common.unified = bench_unified (common.unified);
  struct net net = net_make (inputs, hidden, common.unified, remedied,
			     common.seed);
  double start = omp_get_wtime ();
  if (map[0] == 'r' && !common.unified)
    train_by_regions (&net, common.iterations, common.seed);
  else
    train (&net, common.iterations, common.seed, !common.unified, true,
	   remedied);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check || check (&net, &common);
  char extra[128];
  snprintf (extra, sizeof extra, "code=%s inputs=%ld hidden=%ld checksum=%016llx",
	    variant, inputs, (long) hidden,
	    (unsigned long long) bench_checksum (net.input_hidden_cuda,
						 inputs * hidden
						 * sizeof (float)));
  net_free (&net, common.unified);
  return bench_result (&common, footprint, seconds, !common.no_check, correct,
		       extra);
}
