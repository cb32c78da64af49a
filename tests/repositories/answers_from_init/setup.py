from setuptools import find_packages, setup

setup(name="transformer-from-scratch", packages=find_packages())
