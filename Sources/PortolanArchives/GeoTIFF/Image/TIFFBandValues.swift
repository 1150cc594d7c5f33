/// The values of a band in a window, from decoded blocks.
struct TIFFBandValues {
    private let window: TIFFWindow
    private let band: Int, noData: Double?
    private let alpha: Int?
    private var values: [Float]
    /// Whether each pixel is hidden by the mask or the alpha band; empty if none is.
    private var isHidden: [Bool] = []

    /// Creates the values of a sample; all are NaN at first.
    ///
    /// - Parameter alpha: the sample of the opacity.
    init(_ window: TIFFWindow, band: Int, noData: Double?, alpha: Int?) {
        (self.window, self.band, self.noData) = (window, band, noData)
        self.alpha = alpha == band ? nil : alpha
        values = [Float](repeating: .nan, count: window.columns.count * window.rows.count)
    }

    /// The samples whose blocks are needed.
    var samples: [Int] { [band] + (alpha.map { [$0] } ?? []) }

    /// Adds a block.
    mutating func add(_ samples: TIFFSamples, _ block: TIFFWindow.Block) {
        let isPlanar = window.image.isPlanar
        if !isPlanar || block.plane == band {
            let noData = noData, sample = isPlanar ? 0 : band
            window.forEachRow(of: block) { columns, row, first in
                for (index, value) in samples.values(ofSample: sample, row: row, columns: columns).enumerated()
                where value != noData {
                    values[first + index] = Float(value)
                }
            }
        }
        if let alpha, !isPlanar || block.plane == alpha {
            hide(samples, block, of: window, sample: isPlanar ? 0 : alpha)
        }
    }

    /// Adds a block of the mask, whose window has the same pixels.
    mutating func addMask(_ samples: TIFFSamples, _ block: TIFFWindow.Block, of mask: TIFFWindow) {
        hide(samples, block, of: mask, sample: 0)
    }

    private mutating func hide(
        _ samples: TIFFSamples, _ block: TIFFWindow.Block, of window: TIFFWindow, sample: Int
    ) {
        if isHidden.isEmpty { isHidden = [Bool](repeating: false, count: values.count) }
        window.forEachRow(of: block) { columns, row, first in
            let found = samples.values(ofSample: sample, row: row, columns: columns)
            for (index, value) in found.enumerated() where value == 0 { isHidden[first + index] = true }
        }
    }

    /// Returns the scaled values, NaN where there are no data.
    consuming func finished(_ scaling: GDALMetadata.Scaling) -> [Float] {
        for (index, isHidden) in isHidden.enumerated() where isHidden { values[index] = .nan }
        guard scaling != GDALMetadata.Scaling() else { return values }
        for index in values.indices { values[index] = Float(Double(values[index]) * scaling.scale + scaling.offset) }
        return values
    }
}
