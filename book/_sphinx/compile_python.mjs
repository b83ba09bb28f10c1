// Compiles all Python files of a folder by the Python of Pyodide. Arguments: the folder of Pyodide, the folder.
import {pathToFileURL} from "node:url";

const [pyodide, folder] = process.argv.slice(2);
const {loadPyodide} = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide();
python.FS.mkdirTree("/host");
python.mountNodeFS("/host", folder);
python.runPython(`
import compileall
import py_compile
import warnings

warnings.simplefilter("ignore")
# Beside each file, without docstrings; what is unpacked anew at every start has no dates to compare.
done = compileall.compile_dir("/host", quiet=1, legacy=True, optimize=2, stripdir="/host", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
assert done
`);
