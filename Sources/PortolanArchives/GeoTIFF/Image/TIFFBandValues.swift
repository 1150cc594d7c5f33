/// The values of bands in a window, from decoded blocks.
struct TIFFBandValues {
    private let window: TIFFWindow
    private let bands: [Int], noData: Double?
    /// The sample of the opacity, if the window has one.
    private let alpha: Int?
    private let largestAlpha: Double, isAssociated: Bool
    private var values: [[Float]]
    private var opacities: [Float]?
    private var masks: [Bool]?

    /// Creates the values of samples; all are NaN at first.
    init(_ window: TIFFWindow, bands: [Int], _ colors: TIFFColors) {
        (self.window, self.bands) = (window, bands)
        noData = colors.noData
        // Who asks for the alpha gets its values.
        alpha = colors.alpha.flatMap { bands.contains($0) ? nil : $0 }
        (largestAlpha, isAssociated) = (colors.largestAlpha, colors.isAssociated)
        let count = window.columns.count * window.rows.count
        values = [[Float]](repeating: [Float](repeating: .nan, count: count), count: bands.count)
        if alpha != nil { opacities = [Float](repeating: 0, count: count) }
    }

    /// The samples whose blocks are needed.
    var samples: [Int] { bands + (alpha.map { [$0] } ?? []) }

    /// Adds a block.
    mutating func add(_ samples: TIFFSamples, _ block: TIFFWindow.Block) {
        let isPlanar = window.image.isPlanar
        for (index, band) in bands.enumerated() where !isPlanar || block.plane == band {
            let noData = noData
            window.forEachRow(of: block) { columns, row, first in
                samples.read(sample: isPlanar ? 0 : band, row: row, columns, into: &values[index], at: first, noData)
            }
        }
        if let alpha, !isPlanar || block.plane == alpha, var opacities {
            self.opacities = nil
            window.forEachRow(of: block) { columns, row, first in
                samples.read(sample: isPlanar ? 0 : alpha, row: row, columns, into: &opacities, at: first, nil)
            }
            self.opacities = opacities
        }
    }

    /// Adds a block of the mask, whose window has the same pixels.
    mutating func addMask(_ samples: TIFFSamples, _ block: TIFFWindow.Block, of mask: TIFFWindow) {
        var masks = masks ?? [Bool](repeating: false, count: window.columns.count * window.rows.count)
        mask.forEachRow(of: block) { columns, row, first in
            let found = samples.values(ofSample: 0, row: row, columns: columns)
            for (index, value) in found.enumerated() { masks[first + index] = value > 0 }
        }
        self.masks = masks
    }

    /// Returns the scaled values, NaN where there are no data, and the opacities if the window has them.
    consuming func finished(_ scalings: [Int: GDALMetadata.Scaling]) -> (values: [[Float]], opacities: [UInt8]?) {
        let largest = Float(largestAlpha), opacities = opacities, masks = masks
        for index in bands.indices {
            if let opacities {
                for place in opacities.indices where !(opacities[place] > 0) { values[index][place] = .nan }
                if isAssociated {
                    for place in opacities.indices where opacities[place] < largest {
                        values[index][place] *= largest / opacities[place]
                    }
                }
            }
            if let masks { for place in masks.indices where !masks[place] { values[index][place] = .nan } }
            guard let scaling = scalings[bands[index]] else { continue }
            for place in values[index].indices {
                values[index][place] = Float(Double(values[index][place]) * scaling.scale + scaling.offset)
            }
        }
        return (values, opacities.map { $0.map { UInt8(min(max($0 / largest * 255, 0), 255)) } })
    }
}
