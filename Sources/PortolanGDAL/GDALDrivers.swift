#if GDAL
/// The GDAL drivers that Portolan permits: those that read only the content of the file and its sidecar files.
///
/// Excluded are drivers that follow references to other files and URLs (VRT, GTI, WMS, WFS, HTTP), that access
/// databases and services, that run programs (GPSBabel) or SQL of the file (SQLite), that write next to their input
/// (GML), and formats that Portolan reads itself.
enum GDALDrivers {
    /// The vector drivers by name.
    static let features = [
        "MapInfo File", "DXF", "OpenFileGDB", "TopoJSON", "ESRIJSON", "DGN", "S57", "AVCBin", "AVCE00", "EDIGEO", "SXF",
        "UK .NTF",
        "TIGER", "VDV", "Selafin", "WAsP", "JML", "OGR_GMT", "MapML", "ARCGEN", "GeoRSS", "ESRI Shapefile",
        "FlatGeobuf", "GPKG",
        "CAD",
    ]

    /// The raster drivers by name.
    static let rasters = ["GTiff", "JP2OpenJPEG", "PNG", "JPEG", "AAIGrid", "SRTMHGT", "DTED"]
}
#endif
