"""RDF graphs of bounded documents, read from RDF/XML, Turtle (with N-Triples) and JSON-LD without remote contexts."""
