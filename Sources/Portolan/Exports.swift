// One import gives an app all that it needs; the targets below stay apart for those who build and test them.
@_exported public import PortolanArchives
@_exported public import PortolanCodecs
@_exported public import PortolanFeatures
@_exported public import PortolanFetch
@_exported public import PortolanGeo
@_exported public import PortolanPaint
@_exported public import PortolanPlan
@_exported public import PortolanRaster
@_exported public import PortolanServices
@_exported public import PortolanStore
@_exported public import PortolanText
