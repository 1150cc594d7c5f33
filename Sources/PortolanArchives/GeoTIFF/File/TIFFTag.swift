/// The fields that are read (TIFF 6.0, its technical notes, GeoTIFF 1.1 and GDAL).
enum TIFFTag: UInt16 {
    case newSubfileType = 254
    case width = 256, height, bitsPerSample, compression
    case photometric = 262
    case stripOffsets = 273
    case samplesPerPixel = 277, rowsPerStrip, stripByteCounts
    case planarConfiguration = 284
    case predictor = 317
    case colorMap = 320
    case tileWidth = 322, tileHeight, tileOffsets, tileByteCounts
    case extraSamples = 338, sampleFormat
    case jpegTables = 347
    case pixelScale = 33550
    case tiePoints = 33922
    case transformation = 34264
    case geoKeys = 34735, geoDoubles, geoTexts
    case gdalMetadata = 42112, noData
    case lercParameters = 50674
}
