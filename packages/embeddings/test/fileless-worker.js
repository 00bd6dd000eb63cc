// A worker in a process that may open no more files, as Node words it.
throw new Error("EMFILE: too many open files, open 'ort-web.node.js'");
