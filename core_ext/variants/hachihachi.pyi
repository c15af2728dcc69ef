from core_ext.variant import Variant

VARIANT: type[Variant]
