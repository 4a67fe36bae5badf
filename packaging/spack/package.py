# SPDX-License-Identifier: GPL-3.0-or-later
"""Spack's recipe: copy it to packages/ummgr/package.py of a repository of your own (spack repo create)."""
import os

from spack.package import *

try:  # Since Spack 1.0; before it is one of spack.package.
    from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
except ImportError:
    pass


class Ummgr(AutotoolsPackage):
    """GPU memory management for OpenMP offload programs built with GCC: a compiler plugin and a runtime library that
    place, page and prefetch what target regions use, and tell what moved and why."""

    # A checkout is built where it lies: spack dev-build ummgr@main, or spack develop.
    version("main")

    variant("traces", default=True, description="Traces of accesses, and their replay")
    variant("maps", default=True, description="Access maps as PNG")
    variant("bounds", default=True, description="The best possible placement (replay --policy=best)")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("autoconf@2.71:", type="build")
    depends_on("automake@1.16:", type="build")
    depends_on("libtool", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("jansson@2.13:")
    depends_on("judy")
    depends_on("elfutils")
    depends_on("hwloc@2:")
    depends_on("zstd@1.4:", when="+traces")
    depends_on("xxhash", when="+traces")
    depends_on("libpng", when="+maps")
    depends_on("glpk", when="+bounds")

    # The plugin is built against the headers of the GCC that will load it, which Spack's have.
    requires("%gcc@11:16", msg="ummgr's plugin is GCC's")

    def autoreconf(self, spec, prefix):
        autoreconf("--install", "--force")

    def configure_args(self):
        return ["--disable-silent-rules"]

    # What the command becomes later: the compiler itself, not Spack's wrapper of it.
    @property
    def build_targets(self):
        return ["RUN_CC=" + os.environ["SPACK_CC"], "RUN_CXX=" + os.environ["SPACK_CXX"], "all"]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_command(self):
        Executable(join_path(self.prefix.bin, "ummgr"))("info")
