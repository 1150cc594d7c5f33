import PortolanFeatures

extension FeatureFileError {
    /// A kind of unsupported or unexpected file, recognized by its content, regardless of its name.
    ///
    /// Messages name the kind, so that users do not try to repair a valid file of another kind.
    public enum FileKind: Hashable, Sendable {
        // Empty files.
        case empty
        /// Text in UTF-16, which is not supported for text formats.
        case utf16
        /// Other text.
        case text
        /// Other binary data.
        case binary
        case page
        case pdf
        case svg

        // Images and grids.
        case image
        case tiff, netCDF, hdf5, grib, asciiGrid, pointCloud

        // Databases and archives.
        case sqlite, geoPackage, mbtiles
        case zip, encryptedZip, splitZip, zippedShapefile, zippedTimetable, zippedGeodatabase, spreadsheet,
            officeDocument
        case gzip, archive

        // Tiles, styles and projects.
        case pmtiles, vectorTile, mapboxStyle, tileJSON, sld, qgis, mapnik
        /// A map document of this package.
        case mapDocument

        // Vector data of other programs.
        case shapefile, shapefileIndex, dBase, projection, flatGeobuf, parquet, arrow, osmPBF, osmXML, osmChange
        case overpass, esriJSON, esriLayer, topoJSON, cityJSON, coverageJSON, stac
        case dwg, dxf, mapInfoTable, mapInfoInterchange, gmlApplication, cityGML

        // GPS tracks.
        case fit, tcx, igc, nmea

        // Timetables and vehicles.
        case gtfsRealtime, siri, vehicleRecording, timetableTable
        case protobuf

        // Documents of services.
        case ogcAPI
        /// An error message, with its text.
        case serviceError(String)

        /// A text table without position columns, with the names of its columns.
        case table(columns: [String])
        /// XML with an unknown root element.
        case xml(root: String)
        /// JSON of an unknown kind, with the names of its first members; empty for an array.
        case json(members: [String])
    }
}

extension FeatureFileError.FileKind {
    /// Returns a text from a file, shortened for messages.
    private static func short(_ text: String, _ length: Int = 60) -> String {
        text.count > length ? text.prefix(length) + "…" : text
    }

    /// Returns the first of several names from a file.
    private static func listed(_ names: [String], most: Int) -> String {
        names.prefix(most).map { short($0) }.joined(separator: ", ") + (names.count > most ? " …" : "")
    }
}

extension FeatureFileError.FileKind {
    /// The kind with an article, such as `an OpenStreetMap extract (PBF)`.
    public var words: String {
        switch self {
        case .empty: "an empty file"
        case .utf16: "text in UTF-16"
        case .text: "plain text of unknown format"
        case .binary: "a binary file of an unknown kind"
        case .page: "a web page (HTML), perhaps a login page"
        case .pdf: "a PDF"
        case .svg: "an SVG image"
        case .image: "an image"
        case .tiff: "a TIFF (such as GeoTIFF)"
        case .netCDF: "a NetCDF file"
        case .hdf5: "an HDF5 file (such as NetCDF 4)"
        case .grib: "a GRIB file"
        case .asciiGrid: "an ESRI ASCII grid"
        case .pointCloud: "a point cloud (LAS)"
        case .sqlite: "an SQLite file"
        case .geoPackage: "a GeoPackage"
        case .mbtiles: "an MBTiles file"
        case .zip: "a ZIP archive"
        case .encryptedZip: "an encrypted ZIP archive"
        case .splitZip: "a part of a split ZIP archive"
        case .zippedShapefile: "a ZIP archive with a Shapefile"
        case .zippedTimetable: "a ZIP archive with a timetable (GTFS)"
        case .zippedGeodatabase: "a ZIP archive with an ESRI File Geodatabase"
        case .spreadsheet: "a spreadsheet (XLSX, ODS)"
        case .officeDocument: "an office document (DOCX, ODT)"
        case .gzip: "a gzip file"
        case .archive: "a packed archive (tar, 7z, RAR, XZ, bzip2 or Zstandard)"
        case .pmtiles: "a PMTiles archive"
        case .vectorTile: "a Mapbox vector tile (MVT)"
        case .mapboxStyle: "a MapLibre style"
        case .tileJSON: "TileJSON"
        case .sld: "an SLD style"
        case .qgis: "a QGIS project or style"
        case .mapnik: "a Mapnik style"
        case .mapDocument: "a map document"
        case .shapefile: "a Shapefile"
        case .shapefileIndex: "the index of a Shapefile (.shx)"
        case .dBase: "a dBASE table (.dbf), such as the attributes of a Shapefile"
        case .projection: "a coordinate reference system in well-known text (.prj)"
        case .flatGeobuf: "a FlatGeobuf file"
        case .parquet: "a Parquet file (such as GeoParquet)"
        case .arrow: "an Arrow or Feather file"
        case .osmPBF: "an OpenStreetMap extract (PBF)"
        case .osmXML: "OpenStreetMap data (OSM XML)"
        case .osmChange: "OpenStreetMap changes (osmChange)"
        case .overpass: "Overpass API JSON (OSM JSON)"
        case .esriJSON: "ESRI JSON of a FeatureServer"
        case .esriLayer: "a description of an ArcGIS layer or service"
        case .topoJSON: "TopoJSON"
        case .cityJSON: "CityJSON"
        case .coverageJSON: "CoverageJSON"
        case .stac: "a STAC catalogue or collection"
        case .dwg: "an AutoCAD drawing (DWG)"
        case .dxf: "a DXF drawing"
        case .mapInfoTable: "a MapInfo table description (TAB)"
        case .mapInfoInterchange: "a MapInfo interchange file (MIF)"
        case .gmlApplication: "application schema GML"
        case .cityGML: "CityGML"
        case .fit: "a FIT track"
        case .tcx: "a TCX track"
        case .igc: "a flight log (IGC)"
        case .nmea: "a GNSS receiver log (NMEA 0183)"
        case .gtfsRealtime: "a GTFS Realtime message"
        case .siri: "a SIRI delivery"
        case .vehicleRecording: "a vehicle recording"
        case .timetableTable: "a GTFS timetable table"
        case .protobuf: "an unknown Protocol Buffers message"
        case .ogcAPI: "an OGC API page"
        case .serviceError(let text):
            "an error message from a service" + (text.isEmpty ? "" : ": \(Self.short(text, 300))")
        case .table(let columns):
            "a CSV table without coordinate columns (lon and lat, x and y, or wkt); its columns are "
                + Self.listed(columns, most: 20)
        case .xml(let root): "XML with the root element '\(Self.short(root))'"
        case .json(let members):
            members.isEmpty
                ? "JSON that is not GeoJSON"
                : "JSON that is not GeoJSON, with the members "
                    + Self.listed(members, most: 8)
        }
    }

    /// Whether the kind is more specific than text or binary data.
    package var isNamed: Bool {
        switch self {
        case .text, .binary, .xml: false
        default: true
        }
    }

    /// Whether it is an SQLite file.
    package var isDatabase: Bool { [.sqlite, .geoPackage, .mbtiles].contains(self) }

    /// Whether it is vector data that programs such as GDAL's `ogr2ogr` can convert.
    package var isVectorData: Bool {
        switch self {
        case .shapefile, .zippedShapefile, .zippedGeodatabase, .flatGeobuf, .parquet, .arrow, .osmPBF, .osmXML,
            .overpass,
            .esriJSON, .topoJSON, .dxf, .mapInfoTable, .mapInfoInterchange, .gmlApplication, .cityGML:
            true
        default: false
        }
    }
}
