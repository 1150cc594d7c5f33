<?xml version='1.0' encoding="UTF-8" ?>
<wfs:FeatureCollection
   xmlns:ms="http://mapserver.gis.umn.edu/mapserver"
   xmlns:gml="http://www.opengis.net/gml/3.2"
   xmlns:wfs="http://www.opengis.net/wfs/2.0"
   xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
   xsi:schemaLocation="http://mapserver.gis.umn.edu/mapserver http://maps.example/gml?SERVICE=WFS&amp;VERSION=2.0.0&amp;REQUEST=DescribeFeatureType&amp;TYPENAME=cities&amp;OUTPUTFORMAT=application%2Fgml%2Bxml%3B%20version%3D3.2 http://www.opengis.net/wfs/2.0 http://schemas.opengis.net/wfs/2.0/wfs.xsd http://www.opengis.net/gml/3.2 http://schemas.opengis.net/gml/3.2.1/gml.xsd"
   timeStamp="2026-11-23T01:42:19" numberMatched="unknown" numberReturned="3"
   previous="http://maps.example/gml?SERVICE=WFS&amp;VERSION=2.0.0&amp;REQUEST=GetFeature&amp;TYPENAMES=cities&amp;SRSNAME=urn%3Aogc%3Adef%3Acrs%3AEPSG%3A%3A4326&amp;COUNT=3&amp;BBOX=41%2C28%2C56%2C38%2Curn%3Aogc%3Adef%3Acrs%3AEPSG%3A%3A4326"
   next="http://maps.example/gml?SERVICE=WFS&amp;VERSION=2.0.0&amp;REQUEST=GetFeature&amp;TYPENAMES=cities&amp;SRSNAME=urn%3Aogc%3Adef%3Acrs%3AEPSG%3A%3A4326&amp;COUNT=3&amp;BBOX=41%2C28%2C56%2C38%2Curn%3Aogc%3Adef%3Acrs%3AEPSG%3A%3A4326&amp;STARTINDEX=6">
      <wfs:boundedBy>
      	<gml:Envelope srsName="urn:ogc:def:crs:EPSG::4326">
      		<gml:lowerCorner>41.026970 28.677320</gml:lowerCorner>
      		<gml:upperCorner>49.981770 36.254750</gml:upperCorner>
      	</gml:Envelope>
      </wfs:boundedBy>
    <wfs:member>
      <ms:cities gml:id="cities.706483">
        <gml:boundedBy>
        	<gml:Envelope srsName="urn:ogc:def:crs:EPSG::4326">
        		<gml:lowerCorner>49.981770 36.254750</gml:lowerCorner>
        		<gml:upperCorner>49.981770 36.254750</gml:upperCorner>
        	</gml:Envelope>
        </gml:boundedBy>
        <ms:msGeometry>
          <gml:Point gml:id="cities.706483.1" srsName="urn:ogc:def:crs:EPSG::4326">
            <gml:pos>49.981770 36.254750</gml:pos>
          </gml:Point>
        </ms:msGeometry>
        <ms:GEONAMEID>706483</ms:GEONAMEID>
        <ms:NAME>Kharkiv</ms:NAME>
        <ms:COUNTRY>UA</ms:COUNTRY>
        <ms:POP>1421125</ms:POP>
        <ms:TZ>Europe/Kyiv</ms:TZ>
      </ms:cities>
    </wfs:member>
    <wfs:member>
      <ms:cities gml:id="cities.698740">
        <gml:boundedBy>
        	<gml:Envelope srsName="urn:ogc:def:crs:EPSG::4326">
        		<gml:lowerCorner>46.485720 30.743830</gml:lowerCorner>
        		<gml:upperCorner>46.485720 30.743830</gml:upperCorner>
        	</gml:Envelope>
        </gml:boundedBy>
        <ms:msGeometry>
          <gml:Point gml:id="cities.698740.1" srsName="urn:ogc:def:crs:EPSG::4326">
            <gml:pos>46.485720 30.743830</gml:pos>
          </gml:Point>
        </ms:msGeometry>
        <ms:GEONAMEID>698740</ms:GEONAMEID>
        <ms:NAME>Odesa</ms:NAME>
        <ms:COUNTRY>UA</ms:COUNTRY>
        <ms:POP>1010537</ms:POP>
        <ms:TZ>Europe/Kyiv</ms:TZ>
      </ms:cities>
    </wfs:member>
    <wfs:member>
      <ms:cities gml:id="cities.747323">
        <gml:boundedBy>
        	<gml:Envelope srsName="urn:ogc:def:crs:EPSG::4326">
        		<gml:lowerCorner>41.026970 28.677320</gml:lowerCorner>
        		<gml:upperCorner>41.026970 28.677320</gml:upperCorner>
        	</gml:Envelope>
        </gml:boundedBy>
        <ms:msGeometry>
          <gml:Point gml:id="cities.747323.1" srsName="urn:ogc:def:crs:EPSG::4326">
            <gml:pos>41.026970 28.677320</gml:pos>
          </gml:Point>
        </ms:msGeometry>
        <ms:GEONAMEID>747323</ms:GEONAMEID>
        <ms:NAME>Esenyurt</ms:NAME>
        <ms:COUNTRY>TR</ms:COUNTRY>
        <ms:POP>983571</ms:POP>
        <ms:TZ>Europe/Istanbul</ms:TZ>
      </ms:cities>
    </wfs:member>
</wfs:FeatureCollection>

