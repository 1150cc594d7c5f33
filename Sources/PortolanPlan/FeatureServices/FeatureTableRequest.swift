package import PortolanGeo

/// A request for the rows of a database table.
///
/// Each cell is an entry of an archive, whose levels, columns and rows are those of ``FeatureCellGrid``. The content of
/// an entry is read by ``/PortolanFormats/FeatureRows``.
package struct FeatureTableRequest: Hashable, Sendable {
    /// The table with the attributes that are drawn.
    package let table: TileArchive
    /// The table with all attributes, for the identification of features.
    package let wholeTable: TileArchive
    /// The CRS of the coordinates.
    package let crs: CRS

    /// Creates a request.
    package init(table: TileArchive, wholeTable: TileArchive, crs: CRS) {
        self.table = table
        self.wholeTable = wholeTable
        self.crs = crs
    }

    /// Returns the entry of a cell.
    ///
    /// - Parameter all: whether all attributes are wanted.
    func entry(of cell: FeatureCellGrid.Cell, all: Bool) -> TileArchive.Entry {
        TileArchive.Entry(
            archive: all ? wholeTable : table, level: cell.level, column: cell.column, row: cell.row)
    }

    /// Returns the box of an entry and the number of units per pixel of the finest view that requests it.
    package static func box(
        of entry: TileArchive.Entry, in crs: CRS
    ) -> (extent: Extent, unitsPerPixel: Double)? {
        let grid = FeatureCellGrid(crs: crs)
        let cell = FeatureCellGrid.Cell(level: entry.level, column: entry.column, row: entry.row)
        guard let extent = grid.extent(of: cell) else { return nil }
        return (extent, grid.side(ofLevel: entry.level) / (2 * FeatureCellGrid.leastCellWidth))
    }
}
