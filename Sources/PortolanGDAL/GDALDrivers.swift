#if GDAL
/// The drivers of GDAL that Portolan lets open a file: those that read what is in the file, or stands beside it under its name.
///
/// Not among them are drivers that follow names to other files and addresses (VRT, GTI, WMS, WFS, HTTP), that speak to databases and
/// services, that run programs (GPSBabel) or SQL of the file (SQLite), that write beside what they read (GML), and what Portolan reads itself.
enum GDALDrivers {
    /// Vector formats by the names of their drivers.
    static let features = [
        "MapInfo File", "DXF", "OpenFileGDB", "TopoJSON", "ESRIJSON", "DGN", "S57", "AVCBin", "AVCE00", "EDIGEO", "SXF",
        "UK .NTF",
        "TIGER", "VDV", "Selafin", "WAsP", "JML", "OGR_GMT", "MapML", "ARCGEN", "GeoRSS", "ESRI Shapefile",
        "FlatGeobuf", "GPKG",
        "CAD",
    ]

    /// Raster formats by the names of their drivers.
    static let rasters = ["GTiff", "JP2OpenJPEG", "PNG", "JPEG", "AAIGrid", "SRTMHGT", "DTED"]
}
#endif
