"""Policy-value nets: made and trained with PyTorch, played with ONNX Runtime, kept in files that run no code.

Reading order: `config` (what a net looks like), `architectures` (the nets themselves), `export` (to ONNX), `files`
(a model on disk), `evaluator` (what search asks), `shipped` (the models that come with the package). PyTorch is
imported by `architectures`, `export` and the functions of `files` that take or give a module; playing does without.
"""
