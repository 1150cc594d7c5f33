/// What a GeoPackage says of one of its tables of tiles (OGC 12-128r18, clauses 1.1.2, 1.1.3, 2.2.6 and 2.2.7).
///
/// Numbers are as they are in the file, however odd; x is east and y is north whatever the coordinate system says.
public struct GeoPackagePyramid: Hashable, Sendable {
    /// The name of the table.
    public var table: String
    /// What the tiles are called, or nil when it is not said.
    public var title: String?
    /// The number of the coordinate system in this file; -1 and 0 are undefined ones.
    public var systemID: Int
    /// Who defines the coordinate system, as `EPSG`; nil when the file does not describe it.
    public var organization: String?
    /// The number of the coordinate system with who defines it.
    public var organizationCode: Int
    /// The x that columns are counted from.
    public var minX: Double
    /// The y that rows are counted from, downwards.
    public var maxY: Double
    /// The levels that have tiles, by number.
    public var matrices: [GeoPackageMatrix]

    /// Makes a description.
    public init(
        table: String, title: String? = nil, systemID: Int, organization: String?, organizationCode: Int, minX: Double,
        maxY: Double, matrices: [GeoPackageMatrix]
    ) {
        self.table = table
        self.title = title
        self.systemID = systemID
        self.organization = organization
        self.organizationCode = organizationCode
        self.minX = minX
        self.maxY = maxY
        self.matrices = matrices
    }
}
