import PortolanFeatures
import PortolanRaster

// The drawing of symbol layers: texts, icons, or both.
extension FeatureStyler {
    mutating func symbol(_ geometry: Geometry.Kind) -> Style? {
        let isPoint = geometry == .point || geometry == .multiPoint
        let placement = values.word(.symbolPlacement)
        let follows = placement != "point"
        // Placement along a line or inside an area is searched for; at a point it is stated by the style.
        if follows, isPoint { return nil }
        let icon = icon(isOnLine: follows)
        guard var label = text(isOnLine: follows) ?? icon.map({ _ in LabelSymbol(template: "", isPlain: true) }) else {
            return nil
        }
        label.icon = icon
        label.placement = !follows && geometry != .polygon && geometry != .multiPolygon ? .fixed : .free
        label.priority = -(sortKey.map { values.sortKey($0) } ?? 0)
        label.joinsLines = placement == "line"
        label.anchoring = follows ? .alongLine : .atMiddle
        label.repetition = placement == "line" ? values.number(.symbolSpacing, in: 1...1_000_000) : .infinity
        if let symbolizer = values.layer.symbolizer {
            label.repeatsByGap = symbolizer.repeatsByGap
            if symbolizer.mayBeCut { label.collision = .boxes }
        } else if values.layer.placesFreely, !follows, icon == nil {
            (label.placement, label.anchoring, label.repetition, label.anchors) = (.free, nil, nil, [])
            if values.layer.states(.symbolSpacing) {
                label.repetition = values.number(.symbolSpacing, in: 1...1_000_000)
            }
        } else if values.layer.placesFreely, placement == "line", icon == nil, !label.followsLine {
            // An upright text on a line is placed by the rules of plain layers, too.
        } else {
            label.collision = flag(.symbolAvoidEdges) ? .boxesInside : .boxes
        }
        return Style(label: label)
    }

    /// The format of a text section.
    private mutating func span(of section: ExpressionValue.FormattedText.Section, length: Int) -> LabelSymbol.Span {
        var span = LabelSymbol.Span(length: length)
        if let scale = section.scale { span.scale = min(max(scale, 0.05), 20) }
        if let stack = section.fontStack {
            let font = FontName(stack.split(separator: ",").map(String.init))
            (span.family, span.weight, span.isItalic) = (font.families, font.weight, font.isItalic)
            span.fontStack = stack
        }
        span.verticalAlignment = Self.alignment(section.verticalAlign)
        if let color = section.color?.color { span.color = color.withOpacity(values.number(.textOpacity, in: 0...1)) }
        return span
    }

    private static func alignment(_ word: String?) -> LabelSymbol.VerticalAlignment {
        word == "top" ? .top : word == "center" ? .middle : .bottom
    }

    /// The image in a text.
    ///
    /// An image without its own colour gets that of the text.
    private mutating func picture(
        _ image: ExpressionValue.ResolvedImage, in section: ExpressionValue.FormattedText.Section
    ) -> MarkerSymbol? {
        var look = StylePictures.Look()
        look.color = section.color?.color ?? values.value(.textColor)?.colorValue?.color ?? .black
        let picture = pictures.marker(image.name, look: look, opacity: 1)
        if picture == nil, pictureFindings[.textField] == nil {
            pictureFindings[.textField] = .missingPicture(image.name)
        }
        return picture
    }

    private mutating func text(isOnLine: Bool) -> LabelSymbol? {
        guard case .formatted(let formatted)? = values.value(.textField) else { return nil }
        var text = "", spans: [LabelSymbol.Span] = []
        for section in formatted.sections {
            let words =
                switch values.word(.textTransform) {
                case "uppercase": section.text.uppercased()
                case "lowercase": section.text.lowercased()
                default: section.text
                }
            if let image = section.image {
                guard let picture = picture(image, in: section) else { continue }
                var span = LabelSymbol.Span(length: 1)
                (span.picture, span.color) = (
                    picture, MapColor.black.withOpacity(values.number(.textOpacity, in: 0...1))
                )
                span.verticalAlignment = Self.alignment(section.verticalAlign)
                text += "\u{FFFC}"
                spans.append(span)
                continue
            }
            text += words
            spans.append(span(of: section, length: words.unicodeScalars.count))
        }
        let size = values.number(.textSize, in: 0...1_000)
        guard size > 0, text.contains(where: { !$0.isWhitespace }),
            let color = values.color(.textColor, opacity: .textOpacity)
        else { return nil }
        // "Max text halo width is 1/4 of the font-size" (MapLibre Style Specification); symbolizers have no such limit.
        let most = values.layer.isSymbolizer ? 100 : size / 4
        let halo = min(values.number(.textHaloWidth, in: 0...100), most)
        let haloColor = halo > 0 ? values.color(.textHaloColor, opacity: .textOpacity) : nil
        let fonts = values.value(.textFont)?.arrayValue?.compactMap(\.stringValue) ?? [], font = FontName(fonts)
        let anchor = textAnchor(values.word(.textAnchor), size: size)
        var label = LabelSymbol(
            template: text, color: color.color, size: size, family: font.families, weight: font.weight,
            horizontalAlignment: anchor.horizontal, verticalAlignment: anchor.vertical, offsetX: anchor.offsetX,
            offsetY: anchor.offsetY, outline: haloColor.map { LabelSymbol.Outline(color: $0.color, width: halo) },
            isPlain: true, maximumWidth: values.number(.textMaxWidth, in: 0...1_000) * size,
            lineHeight: values.number(.textLineHeight, in: 0...100), justification: justification,
            mayOverlap: mayOverlap(.textOverlap, .textAllowOverlap))
        if !isOnLine, let anchors = values.value(.textVariableAnchor)?.arrayValue {
            // Each anchor is only tried with its own offset.
            label.anchors = anchors.prefix(16).compactMap(\.stringValue).map {
                textAnchor($0, size: size, isOneOfSeveral: true)
            }
        }
        if spans.contains(where: { $0 != LabelSymbol.Span(length: $0.length) }) { label.spans = spans }
        label.isOptional = flag(.textOptional)
        label.isIgnored = flag(.textIgnorePlacement)
        label.padding = values.layer.states(.textPadding) ? values.number(.textPadding, in: 0...1_000) : nil
        label.followsLine = values.word(.textRotationAlignment) != "viewport"
        label.keepsUpright = values.value(.textKeepUpright)?.booleanValue ?? true
        if label.outline != nil, values.layer.states(.textHaloBlur) {
            // The edge is blurred over this number of pixels on both sides (MapLibre's distance field shader).
            label.outline?.blur = min(values.number(.textHaloBlur, in: 0...100), most)
        }
        if !isOnLine, spans.allSatisfy({ $0 == LabelSymbol.Span(length: $0.length) }) { setVertically(&label) }
        label.rotation = values.number(.textRotate, in: -36_000...36_000)
        if !isOnLine, values.word(.textRotationAlignment) == "map" { label.rotation += mapTurn }
        label.isItalic = font.isItalic
        label.fontStack = fonts.joined(separator: ",")
        label.translation = translation(.textTranslate, .textTranslateAnchor)
        label.letterSpacing = values.number(.textLetterSpacing, in: -1...100)
        if !values.layer.isSymbolizer || values.layer.states(.textMaxAngle) {
            label.maximumAngle = values.number(.textMaxAngle, in: 0...180)
        }
        return label
    }

    private mutating func icon(isOnLine: Bool) -> LabelSymbol.Icon? {
        guard case .image(let image)? = values.value(.iconImage) else { return nil }
        let size = values.number(.iconSize, in: 0...100), opacity = values.number(.iconOpacity, in: 0...1)
        guard size > 0, opacity > 0 else { return nil }
        var look = StylePictures.Look()
        look.color = values.value(.iconColor)?.colorValue?.color ?? .black
        look.halo = values.value(.iconHaloColor)?.colorValue?.color
        look.haloWidth = values.number(.iconHaloWidth, in: 0...100)
        look.size = size
        guard let marker = pictures.marker(image.name, look: look, opacity: opacity) else {
            if pictureFindings[.iconImage] == nil { pictureFindings[.iconImage] = .missingPicture(image.name) }
            return nil
        }
        var icon = LabelSymbol.Icon(marker)
        let offset = values.numbers(.iconOffset), anchor = Self.sides(of: values.word(.iconAnchor))
        let half = marker.halfSize
        icon.offsetX = (offset.first ?? 0) * size - Double(anchor.x) * half.width
        icon.offsetY = (offset.last ?? 0) * size - Double(anchor.y) * half.height
        icon.rotation = values.number(.iconRotate, in: -36_000...36_000)
        icon.mayOverlap = mayOverlap(.iconOverlap, .iconAllowOverlap)
        icon.isOptional = flag(.iconOptional)
        icon.isIgnored = flag(.iconIgnorePlacement)
        icon.padding = values.numbers(.iconPadding).max().map { min(max($0, 0), 1_000) } ?? 2
        switch values.word(.iconRotationAlignment) {
        case "map": icon.alignment = isOnLine ? .line : .map
        case "viewport": icon.alignment = .picture
        default: icon.alignment = isOnLine ? .line : .picture
        }
        icon.keepsUpright = flag(.iconKeepUpright)
        icon.translation = translation(.iconTranslate, .iconTranslateAnchor)
        icon.fit = fit
        return icon
    }

    private mutating func translation(_ key: StyleSheet.Key, _ anchor: StyleSheet.Key) -> LabelSymbol.Translation {
        guard values.layer.states(key) else { return LabelSymbol.Translation() }
        let numbers = values.numbers(key).map { min(max($0, -1_000), 1_000) }
        guard numbers.count == 2 else { return LabelSymbol.Translation() }
        return LabelSymbol.Translation(x: numbers[0], y: numbers[1], isOnMap: values.word(anchor) == "map")
    }

    private var fit: LabelSymbol.Icon.Fit? {
        mutating get {
            let word = values.word(.iconTextFit)
            guard word != "none" else { return nil }
            let padding = values.numbers(.iconTextFitPadding)
            return LabelSymbol.Icon.Fit(
                isWide: word != "height", isHigh: word != "width", padding: padding.count == 4 ? padding : [0, 0, 0, 0])
        }
    }

    /// Stacks the letters of a text vertically, if the layer prefers that and the script allows it.
    private mutating func setVertically(_ label: inout LabelSymbol) {
        guard values.layer.states(.textWritingMode),
            values.value(.textWritingMode)?.arrayValue?.first?.stringValue == "vertical",
            label.template.unicodeScalars.contains(where: \.isWrittenVertically)
        else { return }
        label.template = label.template.filter { !$0.isNewline }.map(String.init).joined(separator: "\n")
        label.maximumWidth = nil
        label.lineHeight = 1 + max(label.letterSpacing, 0)
        label.letterSpacing = 0
        label.justification = .center
    }

    /// -1 if an anchor is on the left or at the top, 1 on the right or at the bottom.
    private static func sides(of anchor: String) -> (x: Int, y: Int) {
        let sides = Set(anchor.split(separator: "-"))
        return (
            sides.contains("left") ? -1 : sides.contains("right") ? 1 : 0,
            sides.contains("top") ? -1 : sides.contains("bottom") ? 1 : 0
        )
    }

    /// The amount by which a text above or below its point is closer than its distance, as a fraction of its size,
    /// because MapLibre measures approximately from the baseline.
    private static let baselineShare = 7.0 / 24

    /// The anchor of a text at its point, moved by its offset, or away from the point by a distance.
    ///
    /// If a text has several candidate anchors, MapLibre moves the box including its padding.
    private mutating func textAnchor(
        _ word: String, size: Double, isOneOfSeveral: Bool = false
    ) -> LabelSymbol.Anchor {
        let sides = Self.sides(of: word)
        var offset = values.numbers(.textOffset)
        if offset.count != 2 { offset = [0, 0] }
        var isAway = isOneOfSeveral
        if values.layer.states(.textRadialOffset) {
            let radius = values.number(.textRadialOffset, in: 0...1_000)
            let part = sides.x != 0 && sides.y != 0 ? radius * 0.5.squareRoot() : radius
            (offset, isAway) = ([part, part], true)
        }
        if isAway {
            let padding = isOneOfSeveral ? values.number(.textPadding, in: 0...1_000) / size : 0
            offset = [
                -Double(sides.x) * (abs(offset[0]) + padding),
                -Double(sides.y) * (abs(offset[1]) + padding - Self.baselineShare),
            ]
        }
        return LabelSymbol.Anchor(
            horizontal: sides.x < 0 ? .left : sides.x > 0 ? .right : .center,
            vertical: sides.y < 0 ? .top : sides.y > 0 ? .bottom : .middle, offsetX: offset[0] * size,
            offsetY: offset[1] * size)
    }

    /// The alignment of the lines, or `nil` for that of the text at its point.
    private var justification: LabelSymbol.HorizontalAlignment? {
        mutating get {
            switch values.word(.textJustify) {
            case "left": .left
            case "right": .right
            case "auto": nil
            default: .center
            }
        }
    }

    private mutating func flag(_ key: StyleSheet.Key) -> Bool { values.value(key)?.booleanValue ?? false }

    /// The newer of the two properties takes precedence if present.
    private mutating func mayOverlap(_ key: StyleSheet.Key, _ older: StyleSheet.Key) -> Bool {
        values.layer.states(key) ? values.word(key) == "always" : flag(older)
    }
}

extension MarkerSymbol {
    /// Half the size of the mark, in pixels.
    fileprivate var halfSize: (width: Double, height: Double) {
        switch self {
        case .shape(let shape): (shape.radius, shape.radius)
        case .icon(let icon): ((icon.width ?? 0) / 2, (icon.height ?? 0) / 2)
        }
    }
}

extension Unicode.Scalar {
    /// Whether the text is in a script that can be written vertically: Chinese, Japanese, Korean.
    fileprivate var isWrittenVertically: Bool {
        switch value {
        case 0x1100...0x11FF, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F,
            0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFFEF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
