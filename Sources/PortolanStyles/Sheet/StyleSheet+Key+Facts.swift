import PortolanFeatures

/// The definition of a property: its values, its group, and whether it is supported.
struct StyleKeyFacts: Sendable {
    /// The support for a property.
    enum Support: Sendable {
        /// It is supported.
        case drawn
        /// It has no effect on a still picture seen from above.
        case without
        /// It is ignored, with a warning unless its value is the default.
        case notDrawn
        /// It is partly supported, with a warning as described unless its value is the default.
        case partly(String)
    }

    let key: StyleSheet.Key
    let specification: PropertySpecification
    /// Whether it belongs to `layout` rather than `paint`.
    let isLayout: Bool
    let support: Support

    fileprivate init(
        _ key: StyleSheet.Key, _ specification: PropertySpecification, isLayout: Bool = false,
        _ support: Support = .notDrawn
    ) {
        self.key = key
        self.specification = specification
        self.isLayout = isLayout
        self.support = support
    }
}

extension PropertySpecification.Kind {
    /// The nine anchor positions.
    fileprivate static let anchor = PropertySpecification.Kind.word([
        "center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left", "bottom-right",
    ])
}

extension StyleSheet.Key {
    /// Whether it belongs to `layout` rather than `paint`.
    package var isLayout: Bool { facts.isLayout }

    /// The definition of the property.
    var facts: StyleKeyFacts { Self.table[self] ?? StyleKeyFacts(self, PropertySpecification(.any)) }

    private static let table: [StyleSheet.Key: StyleKeyFacts] = Dictionary(
        uniqueKeysWithValues: (areas + extrusions + lines + circles + labels + icons + rasters + terrain).map {
            ($0.key, $0)
        })

    private static let areas: [StyleKeyFacts] = [
        StyleKeyFacts(
            .backgroundColor,
            PropertySpecification(.color, default: "#000000", dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(.backgroundPattern, PropertySpecification(.resolvedImage, dependsOnFeatures: false), .drawn),
        StyleKeyFacts(
            .backgroundOpacity,
            PropertySpecification(.number, default: 1, dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(.fillSortKey, PropertySpecification(.number), isLayout: true, .drawn),
        StyleKeyFacts(
            .fillAntialias, PropertySpecification(.boolean, default: true, dependsOnFeatures: false), .drawn),
        StyleKeyFacts(.fillOpacity, PropertySpecification(.number, default: 1, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .fillLayerOpacity,
            PropertySpecification(.number, default: 1, dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(.fillColor, PropertySpecification(.color, default: "#000000", isInterpolated: true), .drawn),
        StyleKeyFacts(.fillOutlineColor, PropertySpecification(.color, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .fillTranslate,
            PropertySpecification(
                .array(.number, count: 2), default: [0, 0], dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .fillTranslateAnchor,
            PropertySpecification(.word(["map", "viewport"]), default: "map", dependsOnFeatures: false), .drawn),
        StyleKeyFacts(.fillPattern, PropertySpecification(.resolvedImage), .drawn),
    ]

    private static let extrusions: [StyleKeyFacts] = [
        StyleKeyFacts(
            .fillExtrusionOpacity,
            PropertySpecification(.number, default: 1, dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .fillExtrusionColor, PropertySpecification(.color, default: "#000000", isInterpolated: true), .drawn),
        StyleKeyFacts(
            .fillExtrusionTranslate,
            PropertySpecification(
                .array(.number, count: 2), default: [0, 0], dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .fillExtrusionTranslateAnchor,
            PropertySpecification(.word(["map", "viewport"]), default: "map", dependsOnFeatures: false), .drawn),
        StyleKeyFacts(.fillExtrusionPattern, PropertySpecification(.resolvedImage), .drawn),
        // Walls are invisible from above.
        StyleKeyFacts(
            .fillExtrusionHeight, PropertySpecification(.number, default: 0, isInterpolated: true), .without),
        StyleKeyFacts(.fillExtrusionBase, PropertySpecification(.number, default: 0, isInterpolated: true), .without),
        StyleKeyFacts(
            .fillExtrusionVerticalGradient,
            PropertySpecification(.boolean, default: true, dependsOnFeatures: false), .without),
    ]

    private static let lines: [StyleKeyFacts] = [
        StyleKeyFacts(
            .lineCap, PropertySpecification(.word(["butt", "round", "square"]), default: "butt"), isLayout: true, .drawn
        ),
        StyleKeyFacts(
            .lineJoin, PropertySpecification(.word(["bevel", "round", "miter"]), default: "miter"), isLayout: true,
            .drawn),
        StyleKeyFacts(
            .lineMiterLimit, PropertySpecification(.number, default: 2, isInterpolated: true), isLayout: true, .drawn),
        StyleKeyFacts(
            .lineRoundLimit, PropertySpecification(.number, default: 1.05, isInterpolated: true), isLayout: true,
            .without),
        StyleKeyFacts(.lineSortKey, PropertySpecification(.number), isLayout: true, .drawn),
        StyleKeyFacts(.lineOpacity, PropertySpecification(.number, default: 1, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .lineLayerOpacity,
            PropertySpecification(.number, default: 1, dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(.lineColor, PropertySpecification(.color, default: "#000000", isInterpolated: true), .drawn),
        StyleKeyFacts(
            .lineTranslate,
            PropertySpecification(
                .array(.number, count: 2), default: [0, 0], dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .lineTranslateAnchor,
            PropertySpecification(.word(["map", "viewport"]), default: "map", dependsOnFeatures: false), .drawn),
        StyleKeyFacts(.lineWidth, PropertySpecification(.number, default: 1, isInterpolated: true), .drawn),
        StyleKeyFacts(.lineGapWidth, PropertySpecification(.number, default: 0, isInterpolated: true), .drawn),
        StyleKeyFacts(.lineOffset, PropertySpecification(.number, default: 0, isInterpolated: true), .drawn),
        StyleKeyFacts(.lineBlur, PropertySpecification(.number, default: 0, isInterpolated: true), .drawn),
        StyleKeyFacts(.lineDasharray, PropertySpecification(.array(.number, count: nil)), .drawn),
        StyleKeyFacts(.linePattern, PropertySpecification(.resolvedImage), .drawn),
        StyleKeyFacts(
            .lineGradient,
            PropertySpecification(.color, dependsOnZoom: false, dependsOnFeatures: false, isInterpolated: true), .drawn),
    ]

    private static let circles: [StyleKeyFacts] = [
        StyleKeyFacts(.circleSortKey, PropertySpecification(.number), isLayout: true, .drawn),
        StyleKeyFacts(.circleRadius, PropertySpecification(.number, default: 5, isInterpolated: true), .drawn),
        StyleKeyFacts(.circleColor, PropertySpecification(.color, default: "#000000", isInterpolated: true), .drawn),
        StyleKeyFacts(.circleBlur, PropertySpecification(.number, default: 0, isInterpolated: true), .drawn),
        StyleKeyFacts(.circleOpacity, PropertySpecification(.number, default: 1, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .circleTranslate,
            PropertySpecification(
                .array(.number, count: 2), default: [0, 0], dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .circleTranslateAnchor,
            PropertySpecification(.word(["map", "viewport"]), default: "map", dependsOnFeatures: false), .drawn),
        StyleKeyFacts(
            .circlePitchScale,
            PropertySpecification(.word(["map", "viewport"]), default: "map", dependsOnFeatures: false), .without),
        StyleKeyFacts(
            .circlePitchAlignment,
            PropertySpecification(.word(["map", "viewport"]), default: "viewport", dependsOnFeatures: false), .without),
        StyleKeyFacts(.circleStrokeWidth, PropertySpecification(.number, default: 0, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .circleStrokeColor, PropertySpecification(.color, default: "#000000", isInterpolated: true), .drawn),
        StyleKeyFacts(.circleStrokeOpacity, PropertySpecification(.number, default: 1, isInterpolated: true), .drawn),
    ]

    private static let labels: [StyleKeyFacts] = [
        StyleKeyFacts(
            .symbolPlacement,
            PropertySpecification(.word(["point", "line", "line-center"]), default: "point", dependsOnFeatures: false),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .symbolSpacing,
            PropertySpecification(.number, default: 250, dependsOnFeatures: false, isInterpolated: true),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .symbolAvoidEdges, PropertySpecification(.boolean, default: false, dependsOnFeatures: false),
            isLayout: true, .drawn),
        StyleKeyFacts(.symbolSortKey, PropertySpecification(.number), isLayout: true, .drawn),
        StyleKeyFacts(
            .symbolZOrder,
            PropertySpecification(.word(["auto", "viewport-y", "source"]), default: "auto", dependsOnFeatures: false),
            isLayout: true),
        StyleKeyFacts(
            .textPitchAlignment,
            PropertySpecification(.word(["map", "viewport", "auto"]), default: "auto", dependsOnFeatures: false),
            isLayout: true, .without),
        StyleKeyFacts(
            .textRotationAlignment,
            PropertySpecification(
                .word(["map", "viewport", "viewport-glyph", "auto"]), default: "auto", dependsOnFeatures: false),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .textField, PropertySpecification(.formatted, default: "", hasTokens: true), isLayout: true, .drawn),
        StyleKeyFacts(
            .textFont,
            PropertySpecification(
                .array(.string, count: nil), default: ["Open Sans Regular", "Arial Unicode MS Regular"]),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .textSize, PropertySpecification(.number, default: 16, isInterpolated: true), isLayout: true, .drawn),
        StyleKeyFacts(
            .textMaxWidth, PropertySpecification(.number, default: 10, isInterpolated: true), isLayout: true, .drawn),
        StyleKeyFacts(
            .textLineHeight,
            PropertySpecification(.number, default: 1.2, dependsOnFeatures: false, isInterpolated: true),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .textLetterSpacing, PropertySpecification(.number, default: 0, isInterpolated: true), isLayout: true, .drawn
        ),
        StyleKeyFacts(
            .textJustify, PropertySpecification(.word(["auto", "left", "center", "right"]), default: "center"),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .textRadialOffset, PropertySpecification(.number, default: 0, isInterpolated: true), isLayout: true, .drawn),
        StyleKeyFacts(
            .textVariableAnchor, PropertySpecification(.array(.anchor, count: nil), dependsOnFeatures: false),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .textVariableAnchorOffset, PropertySpecification(.variableAnchorOffsetCollection, isInterpolated: true),
            isLayout: true),
        StyleKeyFacts(.textAnchor, PropertySpecification(.anchor, default: "center"), isLayout: true, .drawn),
        StyleKeyFacts(
            .textMaxAngle, PropertySpecification(.number, default: 45, dependsOnFeatures: false, isInterpolated: true),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .textWritingMode,
            PropertySpecification(.array(.word(["horizontal", "vertical"]), count: nil), dependsOnFeatures: false),
            isLayout: true, .partly("Chinese, Japanese and Korean texts are set vertically only at points")),
        StyleKeyFacts(
            .textRotate, PropertySpecification(.number, default: 0, isInterpolated: true), isLayout: true, .drawn),
        StyleKeyFacts(
            .textPadding, PropertySpecification(.number, default: 2, dependsOnFeatures: false, isInterpolated: true),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .textKeepUpright, PropertySpecification(.boolean, default: true, dependsOnFeatures: false), isLayout: true,
            .drawn),
        StyleKeyFacts(
            .textTransform, PropertySpecification(.word(["none", "uppercase", "lowercase"]), default: "none"),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .textOffset, PropertySpecification(.array(.number, count: 2), default: [0, 0], isInterpolated: true),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .textAllowOverlap, PropertySpecification(.boolean, default: false, dependsOnFeatures: false),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .textOverlap, PropertySpecification(.word(["never", "always", "cooperative"]), dependsOnFeatures: false),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .textIgnorePlacement, PropertySpecification(.boolean, default: false, dependsOnFeatures: false),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .textOptional, PropertySpecification(.boolean, default: false, dependsOnFeatures: false), isLayout: true,
            .drawn),
        StyleKeyFacts(.textOpacity, PropertySpecification(.number, default: 1, isInterpolated: true), .drawn),
        StyleKeyFacts(.textColor, PropertySpecification(.color, default: "#000000", isInterpolated: true), .drawn),
        StyleKeyFacts(
            .textHaloColor, PropertySpecification(.color, default: "rgba(0, 0, 0, 0)", isInterpolated: true), .drawn),
        StyleKeyFacts(.textHaloWidth, PropertySpecification(.number, default: 0, isInterpolated: true), .drawn),
        StyleKeyFacts(.textHaloBlur, PropertySpecification(.number, default: 0, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .textTranslate,
            PropertySpecification(
                .array(.number, count: 2), default: [0, 0], dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .textTranslateAnchor,
            PropertySpecification(.word(["map", "viewport"]), default: "map", dependsOnFeatures: false), .drawn),
    ]

    private static let icons: [StyleKeyFacts] = [
        StyleKeyFacts(
            .iconAllowOverlap, PropertySpecification(.boolean, default: false, dependsOnFeatures: false),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .iconOverlap, PropertySpecification(.word(["never", "always", "cooperative"]), dependsOnFeatures: false),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .iconIgnorePlacement, PropertySpecification(.boolean, default: false, dependsOnFeatures: false),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .iconOptional, PropertySpecification(.boolean, default: false, dependsOnFeatures: false), isLayout: true,
            .drawn),
        StyleKeyFacts(
            .iconRotationAlignment,
            PropertySpecification(.word(["map", "viewport", "auto"]), default: "auto", dependsOnFeatures: false),
            isLayout: true, .drawn),
        StyleKeyFacts(
            .iconSize, PropertySpecification(.number, default: 1, isInterpolated: true), isLayout: true, .drawn),
        StyleKeyFacts(
            .iconTextFit,
            PropertySpecification(
                .word(["none", "width", "height", "both"]), default: "none", dependsOnFeatures: false), isLayout: true,
            .drawn),
        StyleKeyFacts(
            .iconTextFitPadding,
            PropertySpecification(
                .array(.number, count: 4), default: [0, 0, 0, 0], dependsOnFeatures: false, isInterpolated: true),
            isLayout: true, .drawn),
        StyleKeyFacts(.iconImage, PropertySpecification(.resolvedImage, hasTokens: true), isLayout: true, .drawn),
        StyleKeyFacts(
            .iconRotate, PropertySpecification(.number, default: 0, isInterpolated: true), isLayout: true, .drawn),
        StyleKeyFacts(
            .iconPadding, PropertySpecification(.padding, default: [2], isInterpolated: true), isLayout: true, .drawn),
        StyleKeyFacts(
            .iconKeepUpright, PropertySpecification(.boolean, default: false, dependsOnFeatures: false), isLayout: true,
            .drawn),
        StyleKeyFacts(
            .iconOffset, PropertySpecification(.array(.number, count: 2), default: [0, 0], isInterpolated: true),
            isLayout: true, .drawn),
        StyleKeyFacts(.iconAnchor, PropertySpecification(.anchor, default: "center"), isLayout: true, .drawn),
        StyleKeyFacts(
            .iconPitchAlignment,
            PropertySpecification(.word(["map", "viewport", "auto"]), default: "auto", dependsOnFeatures: false),
            isLayout: true, .without),
        StyleKeyFacts(.iconOpacity, PropertySpecification(.number, default: 1, isInterpolated: true), .drawn),
        StyleKeyFacts(.iconColor, PropertySpecification(.color, default: "#000000", isInterpolated: true), .drawn),
        StyleKeyFacts(
            .iconHaloColor, PropertySpecification(.color, default: "rgba(0, 0, 0, 0)", isInterpolated: true), .drawn),
        StyleKeyFacts(.iconHaloWidth, PropertySpecification(.number, default: 0, isInterpolated: true), .drawn),
        StyleKeyFacts(.iconHaloBlur, PropertySpecification(.number, default: 0, isInterpolated: true)),
        StyleKeyFacts(
            .iconTranslate,
            PropertySpecification(
                .array(.number, count: 2), default: [0, 0], dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .iconTranslateAnchor,
            PropertySpecification(.word(["map", "viewport"]), default: "map", dependsOnFeatures: false), .drawn),
    ]

    private static let rasters: [StyleKeyFacts] = [
        StyleKeyFacts(
            .rasterOpacity, PropertySpecification(.number, default: 1, dependsOnFeatures: false, isInterpolated: true),
            .drawn),
        StyleKeyFacts(
            .rasterHueRotate,
            PropertySpecification(.number, default: 0, dependsOnFeatures: false, isInterpolated: true),
            .drawn),
        StyleKeyFacts(
            .rasterBrightnessMin,
            PropertySpecification(.number, default: 0, dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .rasterBrightnessMax,
            PropertySpecification(.number, default: 1, dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .rasterSaturation,
            PropertySpecification(.number, default: 0, dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .rasterContrast, PropertySpecification(.number, default: 0, dependsOnFeatures: false, isInterpolated: true),
            .drawn),
        StyleKeyFacts(
            .rasterResampling,
            PropertySpecification(.word(["linear", "nearest"]), default: "linear", dependsOnFeatures: false)),
        StyleKeyFacts(
            .rasterFadeDuration,
            PropertySpecification(.number, default: 300, dependsOnFeatures: false, isInterpolated: true), .without),
        StyleKeyFacts(.heatmapRadius, PropertySpecification(.number, default: 30, isInterpolated: true), .drawn),
        StyleKeyFacts(.heatmapWeight, PropertySpecification(.number, default: 1, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .heatmapIntensity,
            PropertySpecification(.number, default: 1, dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .heatmapColor,
            PropertySpecification(
                .color,
                default: [
                    "interpolate", ["linear"], ["heatmap-density"], 0, "rgba(0, 0, 255, 0)", 0.1, "royalblue", 0.3,
                    "cyan", 0.5, "lime", 0.7, "yellow", 1, "red",
                ], dependsOnZoom: false, dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .heatmapOpacity, PropertySpecification(.number, default: 1, dependsOnFeatures: false, isInterpolated: true),
            .drawn),
    ]

    private static let terrain: [StyleKeyFacts] = [
        StyleKeyFacts(
            .hillshadeIlluminationDirection,
            PropertySpecification(.numberArray, default: 335, dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .hillshadeIlluminationAltitude,
            PropertySpecification(.numberArray, default: 45, dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .hillshadeIlluminationAnchor,
            PropertySpecification(.word(["map", "viewport"]), default: "viewport", dependsOnFeatures: false), .drawn),
        StyleKeyFacts(
            .hillshadeExaggeration,
            PropertySpecification(.number, default: 0.5, dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .hillshadeShadowColor,
            PropertySpecification(.colorArray, default: "#000000", dependsOnFeatures: false, isInterpolated: true),
            .drawn),
        StyleKeyFacts(
            .hillshadeHighlightColor,
            PropertySpecification(.colorArray, default: "#FFFFFF", dependsOnFeatures: false, isInterpolated: true),
            .drawn),
        StyleKeyFacts(
            .hillshadeAccentColor,
            PropertySpecification(.color, default: "#000000", dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .hillshadeMethod,
            PropertySpecification(
                .word(["standard", "basic", "combined", "igor", "multidirectional"]), default: "standard",
                dependsOnZoom: false, dependsOnFeatures: false), .drawn),
        StyleKeyFacts(
            .colorReliefOpacity,
            PropertySpecification(.number, default: 1, dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .colorReliefColor,
            PropertySpecification(.color, dependsOnZoom: false, dependsOnFeatures: false, isInterpolated: true), .drawn),
        StyleKeyFacts(
            .resampling,
            PropertySpecification(.word(["linear", "nearest"]), default: "linear", dependsOnFeatures: false)),
    ]
}
