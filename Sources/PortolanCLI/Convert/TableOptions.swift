import ArgumentParser
import PortolanFeatures
import PortolanFormats

/// The columns and the encoding of a table in text.
struct TableOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The column of a CSV with longitudes or eastings.", valueName: "name"))
    var xColumn: String?

    @Option(help: ArgumentHelp("The column of a CSV with latitudes or northings.", valueName: "name"))
    var yColumn: String?

    @Option(help: ArgumentHelp("The column of a CSV with shapes: WKT, WKB, GeoJSON or 'LAT, LON'.", valueName: "name"))
    var geometryColumn: String?

    @Option(help: ArgumentHelp("The encoding of the texts of a CSV or Shapefile, as windows-1251.", valueName: "name"))
    var encoding: String?

    /// The formats of features, tables read as the options say.
    var formats: FeatureFormats {
        let columns = CSVFormat.Columns(x: xColumn, y: yColumn, geometry: geometryColumn)
        return FeatureFormats.standard.readingTables(CSVFormat(columns: columns, encoding: encoding))
    }
}
