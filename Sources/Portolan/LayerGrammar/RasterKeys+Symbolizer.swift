import PortolanRaster
import PortolanStyles
import PortolanWeb

extension RasterKeys {
    /// Returns the style of a RasterSymbolizer.
    func style(_ symbolizer: RasterSymbolizer, _ samples: Samples) async throws(MapError) -> RasterStyle? {
        var channels = try symbolizer.channels.map { channel throws(MapError) in
            (band: try band(channel.name), contrast: channel.contrast)
        }
        if let map = symbolizer.colorMap {
            guard channels.count <= 1 else {
                throw specification.invalid("style", "has a ColorMap for three channels; it needs a GrayChannel")
            }
            return RasterStyle(.map(map, band: channels.first?.band ?? 1))
        }
        let overall = symbolizer.contrast
        if channels.isEmpty {
            guard overall.method != nil || overall.gamma != 1 else { return nil }
            channels = image.colorBands.map { ($0, RasterSymbolizer.Contrast()) }
        }
        let sorted = try await samples(channels.map(\.band)).map { $0.sorted() }
        return RasterStyle(
            zip(channels, sorted).map { channel, values in
                let method = channel.contrast.method ?? overall.method
                return RasterChannel(
                    band: channel.band, stretch: stretch(method, values),
                    gamma: channel.contrast.gamma != 1 ? channel.contrast.gamma : overall.gamma)
            })
    }

    /// Returns the number of a band by its number or description.
    private func band(_ name: String) throws(MapError) -> Int {
        let band = Int(name) ?? image.bandNames.first { $0.value == name }?.key
        guard let band, (1...image.bandCount).contains(band) else {
            throw specification.invalid(
                "style", "selects the channel '\(name)', and the image has the bands 1 to \(image.bandCount)")
        }
        return band
    }

    private func stretch(
        _ method: RasterSymbolizer.Contrast.Method?, _ sorted: [Float]
    ) -> RasterChannel.Stretch {
        switch method {
        case .histogram?:
            return .equalized((0...256).map { Float(sorted.quantile(Double($0) / 256)) })
        case .normalize(let low, let high)?:
            return .linear(from: low ?? sorted.quantile(0), to: high ?? sorted.quantile(1))
        case nil:
            if let range = image.byteRange, !image.isScaled {
                return .linear(from: range.lowerBound, to: range.upperBound)
            }
            return .linear(from: sorted.quantile(0), to: sorted.quantile(1))
        }
    }
}
