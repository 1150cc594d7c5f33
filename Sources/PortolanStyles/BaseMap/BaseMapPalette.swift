import PortolanFeatures

/// The colours of a base map style, as CSS colours.
struct BaseMapPalette: Sendable {
    // The ground.
    let land: PropertyValue
    let residential: PropertyValue
    let industry: PropertyValue
    let hospital: PropertyValue
    let school: PropertyValue
    let cemetery: PropertyValue
    let sand: PropertyValue
    let ice: PropertyValue
    let wood: PropertyValue
    let grass: PropertyValue
    let park: PropertyValue
    let pitch: PropertyValue
    let wetland: PropertyValue
    let farmland: PropertyValue
    let rock: PropertyValue
    // Water.
    let water: PropertyValue
    let waterway: PropertyValue
    let waterLabel: PropertyValue
    // Buildings.
    let building: PropertyValue
    let buildingEdge: PropertyValue
    // Roads, each with the colour of its casing.
    let motorway: PropertyValue
    let motorwayCasing: PropertyValue
    let trunk: PropertyValue
    let trunkCasing: PropertyValue
    let primary: PropertyValue
    let primaryCasing: PropertyValue
    let secondary: PropertyValue
    let secondaryCasing: PropertyValue
    let minor: PropertyValue
    let minorCasing: PropertyValue
    let service: PropertyValue
    let path: PropertyValue
    let pedestrian: PropertyValue
    let pedestrianCasing: PropertyValue
    let tunnel: PropertyValue
    // Other routes.
    let rail: PropertyValue
    let transit: PropertyValue
    let pier: PropertyValue
    let runway: PropertyValue
    let ferry: PropertyValue
    // Boundaries.
    let country: PropertyValue
    let state: PropertyValue
    let countryGlow: PropertyValue
    // Labels.
    let label: PropertyValue
    let minorLabel: PropertyValue
    let halo: PropertyValue
    let placeLabel: PropertyValue
    let suburbLabel: PropertyValue
    let roadLabel: PropertyValue
    let roadHalo: PropertyValue
    let parkLabel: PropertyValue
    let poiLabel: PropertyValue
    let stationLabel: PropertyValue
    let houseNumber: PropertyValue
    let peakLabel: PropertyValue

    /// Pale colours for a bright ground.
    static let light = BaseMapPalette(
        land: "#f6f4ef", residential: "#f1eee7", industry: "#ece9ee", hospital: "#f7e9e6", school: "#f3ecd9",
        cemetery: "#dfe7d4", sand: "#f3ead0", ice: "#eef5f8", wood: "#cfe2c0", grass: "#dcebcd", park: "#d5e8c4",
        pitch: "#c8e2b9", wetland: "#d8e8dc", farmland: "#efeedd", rock: "#e6e2da", water: "#b3d3e6",
        waterway: "#a4c9df", waterLabel: "#3d7396", building: "#e5dfd5", buildingEdge: "#d3cabd", motorway: "#f7b267",
        motorwayCasing: "#d98a3a", trunk: "#fbcf8b", trunkCasing: "#dca85a", primary: "#fde6b0",
        primaryCasing: "#d9bf85", secondary: "#ffffff", secondaryCasing: "#c9c2b4", minor: "#ffffff",
        minorCasing: "#d9d3c7", service: "#fbfaf7", path: "#c1a583", pedestrian: "#f3efe9", pedestrianCasing: "#dcd5ca",
        tunnel: "#f3f0ea", rail: "#a39e9a", transit: "#b08fb5", pier: "#f1eee7", runway: "#e1dfe6", ferry: "#7ea7c4",
        country: "#8d7f9e", state: "#b3a8bf", countryGlow: "#e6dfea", label: "#3b3a3c", minorLabel: "#6a676a",
        halo: "#ffffff", placeLabel: "#2c2b2e", suburbLabel: "#7a7079", roadLabel: "#55504a", roadHalo: "#ffffff",
        parkLabel: "#4f7a3c", poiLabel: "#7d5a3c", stationLabel: "#3f66a8", houseNumber: "#a1978a",
        peakLabel: "#7b5b3a")

    /// Dim colours for a dark ground.
    static let dark = BaseMapPalette(
        land: "#1f2328", residential: "#20252b", industry: "#22252d", hospital: "#2a2429", school: "#282722",
        cemetery: "#20291f", sand: "#2c2a22", ice: "#2b3338", wood: "#1d2a22", grass: "#1f2b24", park: "#1f2f25",
        pitch: "#233529", wetland: "#1f2b2a", farmland: "#21251f", rock: "#272a2d", water: "#16293a",
        waterway: "#1b3145", waterLabel: "#5f8fb3", building: "#2a3037", buildingEdge: "#363d46", motorway: "#a8763c",
        motorwayCasing: "#15181c", trunk: "#8a6a3f", trunkCasing: "#15181c", primary: "#6b5b42",
        primaryCasing: "#15181c", secondary: "#4a4f57", secondaryCasing: "#171a1e", minor: "#393f47",
        minorCasing: "#181b20", service: "#30353c", path: "#5b5347", pedestrian: "#2c3138", pedestrianCasing: "#1a1e23",
        tunnel: "#272c33", rail: "#5c6168", transit: "#715c7c", pier: "#20252b", runway: "#2e323a", ferry: "#3f6a8c",
        country: "#8a7fa0", state: "#5f586f", countryGlow: "#2a2833", label: "#d8d8d4", minorLabel: "#a4a6a8",
        halo: "#14171b", placeLabel: "#f0efe9", suburbLabel: "#9a9aa6", roadLabel: "#b9b6ae", roadHalo: "#1a1d22",
        parkLabel: "#86a878", poiLabel: "#a08d72", stationLabel: "#8fb0e0", houseNumber: "#6d7178",
        peakLabel: "#b7a28a")
}
