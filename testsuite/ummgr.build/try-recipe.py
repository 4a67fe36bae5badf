# SPDX-License-Identifier: GPL-3.0-or-later
"""Execute Spack's recipe with stand-ins for what Spack has, and say what of it ummgr doesn't know."""
import os
import sys
import types

top = sys.argv[1]
said = {"depends_on": [], "variant": [], "version": [], "requires": []}


class Package(types.SimpleNamespace):
    prefix = types.SimpleNamespace(bin="/nowhere/bin")


def record(name):
    return lambda *words, **options: said[name].append((words, options))


def decorator(*words, **options):
    return lambda function: function


spack, package = types.ModuleType("spack"), types.ModuleType("spack.package")
for name in said:
    setattr(package, name, record(name))
for name in ("run_after", "on_package_attributes"):
    setattr(package, name, decorator)
package.AutotoolsPackage = Package
package.Executable = package.join_path = package.autoreconf = lambda *words: None
package.__all__ = [name for name in vars(package) if not name.startswith("__")]
sys.modules.update({"spack": spack, "spack.package": package})
with open(f"{top}/packaging/spack/package.py") as file:
    code = compile(file.read(), "package.py", "exec")
# As Spack 0.x has it, and as 1.x has it.
exec(code, {})
for told in said.values():
    told.clear()
del package.AutotoolsPackage
package.__all__.remove("AutotoolsPackage")
names = "spack_repo.builtin.build_systems.autotools".split(".")
for i in range(len(names)):
    sys.modules[".".join(names[:i + 1])] = types.ModuleType(".".join(names[:i + 1]))
sys.modules[".".join(names)].AutotoolsPackage = Package
scope = {}
exec(code, scope)
os.environ.update(SPACK_CC="/opt/gcc", SPACK_CXX="/opt/g++")
recipe = scope["Ummgr"]()

# Each library that configure asks for is a dependency, and no other is.
needs = {"jansson": "jansson", "judy": "Judy.h", "elfutils": "libelf", "hwloc": "hwloc", "zstd": "libzstd",
         "xxhash": "libxxhash", "libpng": "libpng", "glpk": "glpk"}
text = ""
for name in ["configure.ac"] + sorted("m4/" + file for file in os.listdir(f"{top}/m4") if file.startswith("ummgr")):
    with open(f"{top}/{name}") as file:
        text += file.read()
linked = {words[0].split("@")[0] for words, options in said["depends_on"] if "type" not in options}
if linked != set(needs):
    print("dependencies:", sorted(linked ^ set(needs)))
for package_name, sign in needs.items():
    if sign not in text:
        print(package_name, "is none of configure's")
variants = {words[0] for words, options in said["variant"]}
for words, options in said["depends_on"]:
    if "when" in options and options["when"].lstrip("+") not in variants:
        print("no variant", options["when"])
with open(f"{top}/libummgr/cli/Makefile.frag") as file:
    makefile = file.read()
for target in recipe.build_targets:
    if "=" in target and f"\n{target.split('=')[0]} = " not in makefile:
        print(target, "is no variable of the Makefile")
if not all(option.startswith("--") for option in recipe.configure_args()):
    print("configure's arguments:", recipe.configure_args())
