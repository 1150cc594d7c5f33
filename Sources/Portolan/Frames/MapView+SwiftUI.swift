#if canImport(SwiftUI) && (canImport(UIKit) || canImport(AppKit)) && !os(watchOS)
public import SwiftUI

/// A map in SwiftUI: ``MapView`` in a view of its own.
///
/// Experimental: compiled on Apple platforms only, and not covered by the tests.
///
/// ```swift
/// InteractiveMap(map) { action in print(action) }
/// ```
public struct InteractiveMap {
    private let map: MapFacade
    private let onAction: ((GestureAction) -> Void)?

    /// Shows a map.
    ///
    /// - Parameter onAction: what is told of gestures: taps, long presses, boxes.
    public init(_ map: MapFacade, onAction: ((GestureAction) -> Void)? = nil) {
        self.map = map
        self.onAction = onAction
    }

    @MainActor private func makeView() -> MapView {
        let view = MapView(map)
        view.onAction = onAction
        return view
    }
}

#if canImport(UIKit)
extension InteractiveMap: UIViewRepresentable {
    /// Makes the view.
    public func makeUIView(context: Context) -> MapView { makeView() }
    /// Takes over what is told of gestures.
    public func updateUIView(_ view: MapView, context: Context) { view.onAction = onAction }
}
#else
extension InteractiveMap: NSViewRepresentable {
    /// Makes the view.
    public func makeNSView(context: Context) -> MapView { makeView() }
    /// Takes over what is told of gestures.
    public func updateNSView(_ view: MapView, context: Context) { view.onAction = onAction }
}
#endif
#endif
