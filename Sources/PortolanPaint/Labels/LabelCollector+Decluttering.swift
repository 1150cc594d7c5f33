import PortolanFeatures
import PortolanPlan
import PortolanRaster
import PortolanText

// Marks that are drawn with their labels, or not at all.
extension LabelCollector {
    /// The free space around such a mark and its text, in view pixels, and as a share of the letter size.
    ///
    /// It is wider than the gap between the two, so that no name is taken for that of another mark.
    private static let clearance = 6.0, clearanceShare = 0.5

    /// Places the label of a point beside its mark, or the mark alone without a text; otherwise the point counts as lost.
    mutating func place(
        _ label: Label, with mark: MarkerSymbol, at point: Point, by placer: inout LabelPlacer
    ) throws(TextError) -> (setting: LabelText?, place: LabelPosition)? {
        let words = label.words
        let setting = words.mayHaveLetters && !words.isIconAlone ? try setting(words) : nil
        let icon = PlacedIcon(LabelSymbol.Icon(mark), at: point, turn: 0, MarkerPainter(pixelRatio: pixelRatio))
        // A mark is whole.
        guard let icon, picture.encloses(icon.box) else {
            if icon?.box.overlaps(picture) ?? false { noteLoss(ofPointOf: label, isNamed: setting != nil) }
            return nil
        }
        let places =
            setting.map { text in
                pointPlaces(of: text, words).places(around: icon.box, at: point).map { $0.holding(icon) }
            } ?? [LabelPosition(icon: icon, ownPlace: point)]
        var request = request(label, places)
        let clearance = max(Self.clearance * pixelRatio, Self.clearanceShare * (setting?.size ?? 0))
        (request.markClearance, request.leastClearance, request.iconPadding) = (clearance, clearance, clearance)
        request.isIconMark = true
        if let index = place(request, by: &placer) { return (setting, places[index]) }
        noteLoss(ofPointOf: label, isNamed: setting != nil)
        return nil
    }

    private mutating func noteLoss(ofPointOf label: Label, isNamed: Bool) {
        losses[label.rank.layer].omittedPoints += 1
        if isNamed { noteLoss(of: label, hasPlaces: true) }
    }
}

extension LabelPosition {
    /// Returns the position with an icon.
    fileprivate func holding(_ icon: PlacedIcon) -> LabelPosition {
        var place = self
        place.icon = icon
        place.candidate.icon = icon.box
        return place
    }
}
