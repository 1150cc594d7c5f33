extension StyleSheet {
    /// The properties of layers (MapLibre Style Specification, Layers), by what kind of layer they are of.
    public enum Key: String, CaseIterable, Hashable, Sendable {
        /// `background-color`.
        case backgroundColor = "background-color"
        /// `background-pattern`.
        case backgroundPattern = "background-pattern"
        /// `background-opacity`.
        case backgroundOpacity = "background-opacity"
        /// `fill-sort-key`.
        case fillSortKey = "fill-sort-key"
        /// `fill-antialias`.
        case fillAntialias = "fill-antialias"
        /// `fill-opacity`.
        case fillOpacity = "fill-opacity"
        /// `fill-layer-opacity`.
        case fillLayerOpacity = "fill-layer-opacity"
        /// `fill-color`.
        case fillColor = "fill-color"
        /// `fill-outline-color`.
        case fillOutlineColor = "fill-outline-color"
        /// `fill-translate`.
        case fillTranslate = "fill-translate"
        /// `fill-translate-anchor`.
        case fillTranslateAnchor = "fill-translate-anchor"
        /// `fill-pattern`.
        case fillPattern = "fill-pattern"
        /// `fill-extrusion-opacity`.
        case fillExtrusionOpacity = "fill-extrusion-opacity"
        /// `fill-extrusion-color`.
        case fillExtrusionColor = "fill-extrusion-color"
        /// `fill-extrusion-translate`.
        case fillExtrusionTranslate = "fill-extrusion-translate"
        /// `fill-extrusion-translate-anchor`.
        case fillExtrusionTranslateAnchor = "fill-extrusion-translate-anchor"
        /// `fill-extrusion-pattern`.
        case fillExtrusionPattern = "fill-extrusion-pattern"
        /// `fill-extrusion-height`.
        case fillExtrusionHeight = "fill-extrusion-height"
        /// `fill-extrusion-base`.
        case fillExtrusionBase = "fill-extrusion-base"
        /// `fill-extrusion-vertical-gradient`.
        case fillExtrusionVerticalGradient = "fill-extrusion-vertical-gradient"
        /// `line-cap`.
        case lineCap = "line-cap"
        /// `line-join`.
        case lineJoin = "line-join"
        /// `line-miter-limit`.
        case lineMiterLimit = "line-miter-limit"
        /// `line-round-limit`.
        case lineRoundLimit = "line-round-limit"
        /// `line-sort-key`.
        case lineSortKey = "line-sort-key"
        /// `line-opacity`.
        case lineOpacity = "line-opacity"
        /// `line-layer-opacity`.
        case lineLayerOpacity = "line-layer-opacity"
        /// `line-color`.
        case lineColor = "line-color"
        /// `line-translate`.
        case lineTranslate = "line-translate"
        /// `line-translate-anchor`.
        case lineTranslateAnchor = "line-translate-anchor"
        /// `line-width`.
        case lineWidth = "line-width"
        /// `line-gap-width`.
        case lineGapWidth = "line-gap-width"
        /// `line-offset`.
        case lineOffset = "line-offset"
        /// `line-blur`.
        case lineBlur = "line-blur"
        /// `line-dasharray`.
        case lineDasharray = "line-dasharray"
        /// `line-pattern`.
        case linePattern = "line-pattern"
        /// `line-gradient`.
        case lineGradient = "line-gradient"
        /// `circle-sort-key`.
        case circleSortKey = "circle-sort-key"
        /// `circle-radius`.
        case circleRadius = "circle-radius"
        /// `circle-color`.
        case circleColor = "circle-color"
        /// `circle-blur`.
        case circleBlur = "circle-blur"
        /// `circle-opacity`.
        case circleOpacity = "circle-opacity"
        /// `circle-translate`.
        case circleTranslate = "circle-translate"
        /// `circle-translate-anchor`.
        case circleTranslateAnchor = "circle-translate-anchor"
        /// `circle-pitch-scale`.
        case circlePitchScale = "circle-pitch-scale"
        /// `circle-pitch-alignment`.
        case circlePitchAlignment = "circle-pitch-alignment"
        /// `circle-stroke-width`.
        case circleStrokeWidth = "circle-stroke-width"
        /// `circle-stroke-color`.
        case circleStrokeColor = "circle-stroke-color"
        /// `circle-stroke-opacity`.
        case circleStrokeOpacity = "circle-stroke-opacity"
        /// `symbol-placement`.
        case symbolPlacement = "symbol-placement"
        /// `symbol-spacing`.
        case symbolSpacing = "symbol-spacing"
        /// `symbol-avoid-edges`.
        case symbolAvoidEdges = "symbol-avoid-edges"
        /// `symbol-sort-key`.
        case symbolSortKey = "symbol-sort-key"
        /// `symbol-z-order`.
        case symbolZOrder = "symbol-z-order"
        /// `icon-allow-overlap`.
        case iconAllowOverlap = "icon-allow-overlap"
        /// `icon-overlap`.
        case iconOverlap = "icon-overlap"
        /// `icon-ignore-placement`.
        case iconIgnorePlacement = "icon-ignore-placement"
        /// `icon-optional`.
        case iconOptional = "icon-optional"
        /// `icon-rotation-alignment`.
        case iconRotationAlignment = "icon-rotation-alignment"
        /// `icon-size`.
        case iconSize = "icon-size"
        /// `icon-text-fit`.
        case iconTextFit = "icon-text-fit"
        /// `icon-text-fit-padding`.
        case iconTextFitPadding = "icon-text-fit-padding"
        /// `icon-image`.
        case iconImage = "icon-image"
        /// `icon-rotate`.
        case iconRotate = "icon-rotate"
        /// `icon-padding`.
        case iconPadding = "icon-padding"
        /// `icon-keep-upright`.
        case iconKeepUpright = "icon-keep-upright"
        /// `icon-offset`.
        case iconOffset = "icon-offset"
        /// `icon-anchor`.
        case iconAnchor = "icon-anchor"
        /// `icon-pitch-alignment`.
        case iconPitchAlignment = "icon-pitch-alignment"
        /// `text-pitch-alignment`.
        case textPitchAlignment = "text-pitch-alignment"
        /// `text-rotation-alignment`.
        case textRotationAlignment = "text-rotation-alignment"
        /// `text-field`.
        case textField = "text-field"
        /// `text-font`.
        case textFont = "text-font"
        /// `text-size`.
        case textSize = "text-size"
        /// `text-max-width`.
        case textMaxWidth = "text-max-width"
        /// `text-line-height`.
        case textLineHeight = "text-line-height"
        /// `text-letter-spacing`.
        case textLetterSpacing = "text-letter-spacing"
        /// `text-justify`.
        case textJustify = "text-justify"
        /// `text-radial-offset`.
        case textRadialOffset = "text-radial-offset"
        /// `text-variable-anchor`.
        case textVariableAnchor = "text-variable-anchor"
        /// `text-variable-anchor-offset`.
        case textVariableAnchorOffset = "text-variable-anchor-offset"
        /// `text-anchor`.
        case textAnchor = "text-anchor"
        /// `text-max-angle`.
        case textMaxAngle = "text-max-angle"
        /// `text-writing-mode`.
        case textWritingMode = "text-writing-mode"
        /// `text-rotate`.
        case textRotate = "text-rotate"
        /// `text-padding`.
        case textPadding = "text-padding"
        /// `text-keep-upright`.
        case textKeepUpright = "text-keep-upright"
        /// `text-transform`.
        case textTransform = "text-transform"
        /// `text-offset`.
        case textOffset = "text-offset"
        /// `text-allow-overlap`.
        case textAllowOverlap = "text-allow-overlap"
        /// `text-overlap`.
        case textOverlap = "text-overlap"
        /// `text-ignore-placement`.
        case textIgnorePlacement = "text-ignore-placement"
        /// `text-optional`.
        case textOptional = "text-optional"
        /// `icon-opacity`.
        case iconOpacity = "icon-opacity"
        /// `icon-color`.
        case iconColor = "icon-color"
        /// `icon-halo-color`.
        case iconHaloColor = "icon-halo-color"
        /// `icon-halo-width`.
        case iconHaloWidth = "icon-halo-width"
        /// `icon-halo-blur`.
        case iconHaloBlur = "icon-halo-blur"
        /// `icon-translate`.
        case iconTranslate = "icon-translate"
        /// `icon-translate-anchor`.
        case iconTranslateAnchor = "icon-translate-anchor"
        /// `text-opacity`.
        case textOpacity = "text-opacity"
        /// `text-color`.
        case textColor = "text-color"
        /// `text-halo-color`.
        case textHaloColor = "text-halo-color"
        /// `text-halo-width`.
        case textHaloWidth = "text-halo-width"
        /// `text-halo-blur`.
        case textHaloBlur = "text-halo-blur"
        /// `text-translate`.
        case textTranslate = "text-translate"
        /// `text-translate-anchor`.
        case textTranslateAnchor = "text-translate-anchor"
        /// `raster-opacity`.
        case rasterOpacity = "raster-opacity"
        /// `raster-hue-rotate`.
        case rasterHueRotate = "raster-hue-rotate"
        /// `raster-brightness-min`.
        case rasterBrightnessMin = "raster-brightness-min"
        /// `raster-brightness-max`.
        case rasterBrightnessMax = "raster-brightness-max"
        /// `raster-saturation`.
        case rasterSaturation = "raster-saturation"
        /// `raster-contrast`.
        case rasterContrast = "raster-contrast"
        /// `raster-resampling`.
        case rasterResampling = "raster-resampling"
        /// `raster-fade-duration`.
        case rasterFadeDuration = "raster-fade-duration"
        /// `hillshade-illumination-direction`.
        case hillshadeIlluminationDirection = "hillshade-illumination-direction"
        /// `hillshade-illumination-altitude`.
        case hillshadeIlluminationAltitude = "hillshade-illumination-altitude"
        /// `hillshade-illumination-anchor`.
        case hillshadeIlluminationAnchor = "hillshade-illumination-anchor"
        /// `hillshade-exaggeration`.
        case hillshadeExaggeration = "hillshade-exaggeration"
        /// `hillshade-shadow-color`.
        case hillshadeShadowColor = "hillshade-shadow-color"
        /// `hillshade-highlight-color`.
        case hillshadeHighlightColor = "hillshade-highlight-color"
        /// `hillshade-accent-color`.
        case hillshadeAccentColor = "hillshade-accent-color"
        /// `hillshade-method`.
        case hillshadeMethod = "hillshade-method"
        /// `color-relief-opacity`.
        case colorReliefOpacity = "color-relief-opacity"
        /// `color-relief-color`.
        case colorReliefColor = "color-relief-color"
        /// `resampling` of layers with images or elevations.
        case resampling
        /// `heatmap-radius`.
        case heatmapRadius = "heatmap-radius"
        /// `heatmap-weight`.
        case heatmapWeight = "heatmap-weight"
        /// `heatmap-intensity`.
        case heatmapIntensity = "heatmap-intensity"
        /// `heatmap-color`.
        case heatmapColor = "heatmap-color"
        /// `heatmap-opacity`.
        case heatmapOpacity = "heatmap-opacity"
    }
}
