# The part of lxml's types that the plugin leans on; text is always str in Python 3.
