// swift-format-ignore-file: OrderedImports
// The names that users of maps need, so that one import suffices, grouped by purpose. The modules have more. Names that
// SwiftUI and Foundation also have (`Path`, `Canvas`, `Scene`) are not exported.

// Positions and coordinate reference systems.
@_exported public import struct PortolanGeo.BoundingBox
@_exported public import struct PortolanGeo.CRS
@_exported public import enum PortolanGeo.CRSError
@_exported public import struct PortolanGeo.Coordinate
@_exported public import struct PortolanGeo.CoordinateTransform
@_exported public import struct PortolanGeo.Extent
@_exported public import struct PortolanGeo.Resolution
@_exported public import struct PortolanGeo.TileGrid
@_exported public import struct PortolanPlan.LayerBounds
@_exported public import struct PortolanPlan.Viewport
@_exported public import struct PortolanRaster.ImageSize
@_exported public import struct PortolanRaster.Point

// Services and files.
@_exported public import struct PortolanArchives.ArchiveError
@_exported public import struct PortolanServices.ArcGISService
@_exported public import struct PortolanServices.ServiceException
@_exported public import struct PortolanServices.TileJSONDocument
@_exported public import struct PortolanServices.WMSCTileSet
@_exported public import struct PortolanServices.WMSCapabilities
@_exported public import struct PortolanServices.WMSOptions
@_exported public import struct PortolanServices.WMTSCapabilities
@_exported public import struct PortolanServices.WMTSOptions
@_exported public import struct PortolanServices.WFSOptions
@_exported public import struct PortolanServices.XYZTemplate

// The origin and policy of URLs.
@_exported public import struct PortolanWeb.NamedURL
@_exported public import struct PortolanWeb.AddressPolicy
@_exported public import struct PortolanWeb.BaseURL

// Layers.
@_exported public import struct PortolanPlan.FeatureSource
@_exported public import protocol PortolanPlan.LayerSource
@_exported public import struct PortolanPlan.MapLayer
@_exported public import struct PortolanPlan.LayerPlan
@_exported public import struct PortolanPlan.LayerView
@_exported public import struct PortolanPlan.Arrivals
@_exported public import struct PortolanPlan.TileArchive
@_exported public import struct PortolanPlan.PointSource
@_exported public import struct PortolanPlan.TileSource
@_exported public import struct PortolanPlan.WMSSource

// Features.
@_exported public import struct PortolanFeatures.Feature
@_exported public import struct PortolanFeatures.FeatureCollection
@_exported public import struct PortolanFormats.FeatureFormats
@_exported public import struct PortolanFormats.GPXFormat
@_exported public import struct PortolanFeatures.GeoJSONError
@_exported public import enum PortolanFeatures.GeoJSONReader
@_exported public import enum PortolanFeatures.GeoJSONWriter
@_exported public import struct PortolanFeatures.Geometry
@_exported public import struct PortolanFormats.IdentifiedFeature
@_exported public import protocol PortolanFormats.FeatureDataset
@_exported public import struct PortolanFeatures.MeasuringTool
@_exported public import struct PortolanFeatures.PointOfInterest
@_exported public import struct PortolanFeatures.Properties
@_exported public import enum PortolanFeatures.PropertyValue
@_exported public import struct PortolanFeatures.Route

// Styles.
@_exported public import struct PortolanFeatures.LineSymbol
@_exported public import struct PortolanFeatures.FillSymbol
@_exported public import struct PortolanFeatures.IconMarker
@_exported public import struct PortolanFeatures.LabelSymbol
@_exported public import struct PortolanFeatures.ShapeMarker
@_exported public import enum PortolanFeatures.MarkerSymbol
@_exported public import struct PortolanFeatures.PinSymbol
@_exported public import struct PortolanFeatures.Style
@_exported public import struct PortolanRaster.MapColor
@_exported public import struct PortolanStyles.StyleSheet
@_exported public import struct PortolanFeatures.StyleDeclaration

// Fetching and caching.
@_exported public import struct PortolanFetch.CacheRule
@_exported public import class PortolanFetch.AuthenticatingTransport
@_exported public import struct PortolanFetch.CacheStatistics
@_exported public import struct PortolanFetch.StoreStatistics
@_exported public import struct PortolanFetch.RetryPolicy
@_exported public import struct PortolanFetch.ConnectionSettings
@_exported public import struct PortolanFetch.HTTPRequest
@_exported public import struct PortolanFetch.HTTPResponse
@_exported public import enum PortolanFetch.Credential
@_exported public import struct PortolanFetch.FetchError
@_exported public import struct PortolanFetch.HTTPHeader
@_exported public import protocol PortolanFetch.HTTPTransport
@_exported public import protocol PortolanFetch.MapObserver
@_exported public import protocol PortolanFetch.ResponseStore
@_exported public import struct PortolanFetch.StoreError
@_exported public import struct PortolanFetch.StoreSelection

// Rendering, encoding and reports.
@_exported public import struct PortolanCodecs.CodecError
@_exported public import struct PortolanCodecs.ImageDecoders
@_exported public import enum PortolanCodecs.PNGEncoder
@_exported public import enum PortolanCodecs.WebPEncoder
@_exported public import struct PortolanPaint.Furniture
@_exported public import struct PortolanPaint.PDFOptions
@_exported public import struct PortolanPaint.SVGOptions
@_exported public import struct PortolanWeb.MapWarning
@_exported public import enum PortolanPlan.PlanError
@_exported public import struct PortolanPlan.ResourceError
@_exported public import struct PortolanPlan.Resource
@_exported public import class PortolanRaster.MemoryBudget
@_exported public import struct PortolanRaster.PixelBuffer
@_exported public import enum PortolanText.FontSource
@_exported public import enum PortolanText.TextError
