module github.com/action-connector/action-connector/examples

go 1.21

require github.com/action-connector/action-connector-go v1.0.0

replace github.com/action-connector/action-connector-go => ../sdks/go
