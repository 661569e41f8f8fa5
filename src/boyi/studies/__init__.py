"""Studies: experiments of the source documents, one module each, that make a thing and measure it."""
