"""The ground floor: what every function does at its door, and arrays, ids and scores before they are hits."""
