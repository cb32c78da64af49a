"""Looks for a path of the machine: in modules, code, loaded libraries, settings of the interpreter, and the environment.
Expect: not passed
"""
# layer: root
# open: works

import sysconfig
import types

SAME_EVERYWHERE = ("/assay/", "/tmp", "/dev/", "/lib", "/usr/lib", "/nonexistent")


class Library(ffi.Structure):
    _fields_ = [("address", ffi.c_void_p), ("name", ffi.c_char_p)]


def loaded():
    names = []
    kind = ffi.CFUNCTYPE(ffi.c_int, ffi.POINTER(Library), ffi.c_size_t, ffi.c_void_p)
    libc.dl_iterate_phdr(kind(lambda library, *_: names.append(library.contents.name.decode()) or 0), None)
    return names


def told():
    yield from (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.executable, sys._base_executable, sys._stdlib_dir)
    yield from (*sys.path, *sys.path_importer_cache, *sys.argv, *sys.orig_argv, *os.environ.values(), *loaded())
    yield from map(str, (*sysconfig.get_config_vars().values(), *sysconfig.get_paths().values()))
    for module in list(sys.modules.values()):
        known = dict(vars(module))  # to ask a module for what it lacks may raise anything
        yield from map(str, (known.get("__file__"), known.get("__cached__"), *known.get("__path__", ())))
        yield str(getattr(known.get("__spec__"), "origin", ""))
    yield from (found.co_filename for found in everything() if isinstance(found, types.CodeType))


def forbidden():
    return any(path.startswith("/") and not f"{path}/".startswith(SAME_EVERYWHERE) for path in told())
