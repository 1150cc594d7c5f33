import ArgumentParser
import PortolanFeatures
import PortolanFormats

/// The columns and the encoding of a table in text.
struct TableOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read longitudes or eastings from this CSV column.", valueName: "name"))
    var xColumn: String?

    @Option(help: ArgumentHelp("Read latitudes or northings from this CSV column.", valueName: "name"))
    var yColumn: String?

    @Option(
        help: ArgumentHelp("Read geometries from this CSV column: WKT, WKB, GeoJSON or 'LAT, LON'.", valueName: "name"))
    var geometryColumn: String?

    @Option(help: ArgumentHelp("Set the text encoding of a CSV or Shapefile, as windows-1251.", valueName: "name"))
    var encoding: String?

    /// The feature formats, with these options for tables.
    var formats: FeatureFormats {
        let columns = CSVFormat.Columns(x: xColumn, y: yColumn, geometry: geometryColumn)
        return FeatureFormats.standard.readingTables(CSVFormat(columns: columns, encoding: encoding))
    }
}
